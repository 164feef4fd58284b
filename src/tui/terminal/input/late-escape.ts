/**
Finds sequences whose rest comes late. On a slow line an ESC may arrive long before the rest and count as the Escape
key, or `ESC [` as Alt+[. Then the shape of the rest reveals it: a key with parameters, a mouse or focus report, an
answer, or the start of a paste. Similar text is held back for a moment and then typed. Times are the caller's
milliseconds.
*/
export type LateReports = {
	/** The wait for these bytes was in vain: they became keys, or were dropped. */
	gaveUp(bytes: string, now: number): void;
	/** Returns these bytes, joined with earlier abandoned bytes if together they form a report. */
	join(bytes: Buffer, now: number): Buffer;
	/** Whether the last join began with an ESC that had counted as the Escape key. */
	wasEscape(): boolean;
	/** Whether bytes are held back, since more bytes may complete a report. */
	holds(): boolean;
	/** Returns the held bytes, since they were typed. */
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

/** A late report has at most this many bytes. */
const maxBytes = 48;

/** After these milliseconds, no bytes belong to an abandoned sequence any more. */
const lateness = 5000;

/** Nobody types a key sequence with parameters by hand. */
const longKey = /^\x1b\[[\d:;]+[A-HPQRSZu~]/;
/** You may type a key sequence without parameters after an Escape key, but not in one read. */
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
