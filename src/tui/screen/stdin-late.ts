/**
Finds reports that came too late. On a slow line the ESC of a report may come long before the rest, after it was taken for
the Escape key, or `ESC [` for Alt+[. What follows is then known by its shape: a mouse or focus report, what a terminal
answers, or the mark before a paste. Text that only looks like the beginning of one is held back for a moment and then typed.
*/
export type LateReports = {
	/** These bytes were waited for in vain: they became keys, or were dropped. */
	gaveUp(bytes: string): void;
	/** What is to be read for these bytes: with what was given up on before them, when together they are a report. */
	join(bytes: Buffer): Buffer;
	/** Whether bytes are held back, since more of them may make a report. */
	holds(): boolean;
	/** What was held back: it was typed. */
	release(): Buffer;
};

export function createLateReports(): LateReports {
	let lost = '';
	let held = empty;
	return {
		gaveUp(bytes) {
			lost = bytes.length <= longest ? bytes : '';
		},
		join(bytes) {
			if (lost === '' || bytes.length === 0) return bytes;
			const joined = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
			const said = lost + joined.toString('latin1', 0, longest);
			held = empty;
			if (joined.length < longest && beginning.test(said)) {
				held = Buffer.from(joined);
				return empty;
			}
			const before = report.test(said) ? lost : '';
			lost = '';
			return before === '' ? joined : Buffer.concat([Buffer.from(before, 'latin1'), joined]);
		},
		holds: () => held.length > 0,
		release() {
			const bytes = held;
			[lost, held] = ['', empty];
			return bytes;
		},
	};
}

const empty = Buffer.alloc(0);

/** The bytes of the longest report that is looked for. */
const longest = 48;

/** Mouse, focus, modes and attributes, places and sizes, the beginning of a paste; colours and the clipboard; versions and settings; pictures. */
const report = /^\x1b(?:\[(?:<\d+;\d+;\d+[Mm]|[IO](?:$|\x1b)|[?>][\d;:]+\$?[a-zA-Z]|\d+;\d+(?:;\d+)?R|\d+(?:;\d+){2,}t|200~)|\](?:4|1\d|52);|P(?:[>!]\||[01][$+]r)|_G[a-z]=)/;
const beginning = /^\x1b(?:\[(?:<[\d;]*|[?>][\d;:]*\$?|\d[\d;]*)?|\]\d{0,2}|P[>!01]?[$+]?|_G?[a-z]?)$/;
