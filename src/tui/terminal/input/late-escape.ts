/**
Finds sequences whose rest comes late. On a slow line the ESC may come long before the rest, after it was taken for the
Escape key, or `ESC [` for Alt+[. The rest is known by its shape: a key with parameters, a mouse or focus report, a
terminal's answer, or the mark before a paste. Text that looks like the beginning of one is held back for a moment and
then typed. Times are the caller's milliseconds.
*/
export type LateReports = {
	/** These bytes were waited for in vain: they became keys, or were dropped. */
	gaveUp(bytes: string, now: number): void;
	/** What is to be read for these bytes: with what was given up on before them, when together they are a report. */
	join(bytes: Buffer, now: number): Buffer;
	/** Whether the last join put an ESC before the bytes that was taken for the Escape key. */
	wasEscape(): boolean;
	/** Whether bytes are held back, since more of them may make a report. */
	holds(): boolean;
	/** What was held back: it was typed. */
	release(): Buffer;
};

export function createLateReports(): LateReports {
	let lost = '';
	let lostAt = 0;
	let held = empty;
	let tookEscape = false;
	return {
		gaveUp(bytes, now) {
			lost = bytes.length <= maxBytes ? bytes : '';
			lostAt = now;
		},
		join(bytes, now) {
			tookEscape = false;
			if (lost === '' || bytes.length === 0) return bytes;
			if (held.length === 0 && now - lostAt > lateness) {
				lost = '';
				return bytes;
			}
			const isWhole = held.length === 0;
			const joined = isWhole ? bytes : Buffer.concat([held, bytes]);
			const seen = lost + joined.toString('latin1', 0, maxBytes);
			held = empty;
			if (joined.length < maxBytes && beginning.test(seen)) {
				held = Buffer.from(joined);
				return empty;
			}
			const isLate =
				report.test(seen) || longKey.test(seen) || (shortKey.test(seen) && (isWhole || lost.length > 1));
			const before = isLate ? lost : '';
			tookEscape = before === '\x1b';
			lost = '';
			return before === '' ? joined : Buffer.concat([Buffer.from(before, 'latin1'), joined]);
		},
		wasEscape: () => tookEscape,
		holds: () => held.length > 0,
		release() {
			const bytes = held;
			[lost, held] = ['', empty];
			return bytes;
		},
	};
}

const empty = Buffer.alloc(0);

/** The bytes of the maxBytes report that is looked for. */
const maxBytes = 48;

/** Milliseconds after which nothing belongs to what was given up on. */
const lateness = 5000;

/** A key with parameters: nobody types one by hand. */
const longKey = /^\x1b\[[\d:;]+[A-HPQRSZu~]/;
/** A key without: after an Escape key a person may type the same, though not in one read. */
const shortKey = /^\x1b\[(?:[A-HPQSZ]|\[[A-E])/;

const report = new RegExp(
	[
		// Mouse, focus, modes and attributes
		String.raw`^\x1b(?:\[(?:<\d+;\d+;\d+[Mm]|[IO](?:$|\x1b)|[?>][\d;:]+\$?[a-zA-Z]|`,
		// Places and sizes, the beginning of a paste
		String.raw`\d+;\d+(?:;\d+)?R|\d+(?:;\d+){2,}t|200~)|`,
		// Colours and the clipboard; versions and settings; pictures
		String.raw`\](?:4|1\d|52);|P(?:[>!]\||[01][$+]r)|_G[a-z]=)`,
	].join(''),
);
const beginning = /^\x1b(?:\[(?:<[\d;]*|[?>][\d;:]*\$?|\[|\d[\d:;]*)?|\]\d{0,2}|P[>!01]?[$+]?|_G?[a-z]?)$/;
