/**
Finds sequences whose rest comes late. On a slow connection an ESC may arrive long before the rest and be taken as the
Escape key, or `ESC [` as Alt+[. Then the form of the rest reveals it: a key with parameters, a mouse or focus report,
an answer, or the start of a paste. Text of a similar form is held back for a moment and then delivered as typed text.
If a sequence was given up after its first character, it was a report for sure. Its rest may come in several parts. A
part without an end is no key: what arrives faster than anybody types is delivered as a paste.
Times are in milliseconds of the caller's clock.
*/
export type LateReports = {
	/** Reports that the rest of these bytes did not arrive: they became keys, or were dropped. */
	gaveUp(bytes: string, now: number): void;
	/** Returns these bytes, joined with earlier abandoned bytes if both form a report together. */
	join(bytes: Buffer, now: number): Joined;
	/** Whether the last join began with an ESC that had been taken as the Escape key. */
	wasEscape(): boolean;
	/** Whether bytes are being held back because more bytes may complete a report, or show that nobody typed them. */
	holds(): 'nothing' | 'late' | 'part';
	/** Returns what was held back, because no more bytes came. */
	release(): Joined;
};

/** `pasted` comes first. Its characters are text, but no keys. */
export type Joined = {readonly pasted: string; readonly bytes: Buffer};

export function createLateReports(): LateReports {
	let lost = '';
	let lostAt = 0;
	let held = empty;
	let heldAt = 0;
	let tookEscape = false;

	function joinBare(bytes: Buffer): Buffer {
		const isWhole = held.length === 0;
		const joined = isWhole ? bytes : Buffer.concat([held, bytes]);
		const seen = lost + joined.toString('latin1', 0, maxBytes);
		held = empty;
		if (joined.length < maxBytes && beginning.test(seen)) {
			held = Buffer.from(joined);
			return empty;
		}
		const isLate = isReport(seen) || (shortKey.test(seen) && (isWhole || lost.length > 1));
		const before = isLate ? lost : '';
		tookEscape = before === '\x1b';
		lost = '';
		return before === '' ? joined : Buffer.concat([Buffer.from(before, 'latin1'), joined]);
	}

	/** Joins bytes with a report that has begun. */
	function joinBegun(bytes: Buffer, now: number): Joined {
		const joined = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
		const rest = joined.toString('latin1');
		if (isEnd(lost, rest)) {
			const whole = Buffer.concat([Buffer.from(lost, 'latin1'), joined]);
			[lost, held] = ['', empty];
			return {pasted: '', bytes: whole};
		}
		if (!isPart(lost, rest)) {
			[lost, held] = ['', empty];
			return {pasted: '', bytes: joined};
		}
		if (held.length === 0) heldAt = now;
		held = Buffer.from(joined);
		return now - heldAt > longestHold ? release() : nothing;
	}

	function release(): Joined {
		const bytes = held;
		held = empty;
		if (!isBegun(lost) || isOneCharacter(bytes)) {
			lost = '';
			return {pasted: '', bytes};
		}
		lost = shortened(lost + bytes.toString('latin1'));
		return {pasted: bytes.toString('utf8').replace(/\x1b$/, ''), bytes: empty};
	}

	return {
		gaveUp(bytes, now) {
			lost = isBegun(bytes) ? shortened(bytes) : bytes.length <= maxBytes ? bytes : '';
			lostAt = now;
		},
		join(bytes, now) {
			tookEscape = false;
			if (held.length === 0 && now - lostAt > lateness) lost = '';
			if (lost === '' || bytes.length === 0) return {pasted: '', bytes};
			return isBegun(lost) ? joinBegun(bytes, now) : {pasted: '', bytes: joinBare(bytes)};
		},
		wasEscape: () => tookEscape,
		holds: () => (held.length === 0 ? 'nothing' : isBegun(lost) ? 'part' : 'late'),
		release,
	};
}

const empty = Buffer.alloc(0);
const nothing: Joined = {pasted: '', bytes: empty};

/** The maximum number of bytes in a late report. */
const maxBytes = 48;

/** The number of milliseconds after which no bytes can belong to an abandoned sequence any more. */
const lateness = 5000;

/** The maximum number of milliseconds for which parts of a report are held back. */
const longestHold = 400;

/** Whether a report was given up after its first character. Nobody types such a sequence by hand. */
function isBegun(bytes: string): boolean {
	return /^\x1b(?:[\]P_^X]|\[[\d<=>?])/.test(bytes) && bytes.length > 2;
}

/** Returns the beginning of a report. That of a string is dropped in any case. */
function shortened(bytes: string): string {
	if (bytes.startsWith('\x1b[')) return bytes.length <= maxBytes ? bytes : '';
	return bytes.slice(0, 3) + (bytes.endsWith('\x1b') ? '\x1b' : '');
}

/** Whether these bytes, or the beginning of them, end the report. */
function isEnd(begun: string, rest: string): boolean {
	if (begun.startsWith('\x1b[')) return isReport(begun + rest.slice(0, maxBytes));
	return begun.endsWith('\x1b') ? rest.startsWith('\\') : stringEnd.test(rest);
}

/** Whether these bytes may continue the report. */
function isPart(begun: string, rest: string): boolean {
	return begun.startsWith('\x1b[') ? /^[\d:;<=>?$]+$/.test(rest) : /^[^\x00-\x1F\x7F]+\x1B?$/.test(rest);
}

const stringEnd = /^[^\x00-\x1F\x7F]*?(?:\x07|\x1B\\|\xC2\x9C)/;

function isOneCharacter(bytes: Buffer): boolean {
	return bytes.length <= 4 && Array.from(bytes.toString('utf8')).length === 1;
}

function isReport(bytes: string): boolean {
	return report.test(bytes) || longKey.test(bytes);
}

/** Nobody types a key sequence with parameters by hand. */
const longKey = /^\x1b\[[\d:;]+[A-HPQRSZu~]/;
/** You may type the characters of a key sequence without parameters after an Escape key, but not in a single read. */
const shortKey = /^\x1b\[(?:[A-HPQSZ]|\[[A-E])/;

const report = new RegExp(
	[
		// Mouse reports, focus reports, modes and attributes
		String.raw`^\x1b(?:\[(?:<\d+;\d+;\d+[Mm]|[IO](?:$|\x1b)|[?>][\d;:]+\$?[a-zA-Z]|`,
		// Positions and sizes, the beginning of a paste
		String.raw`\d+;\d+(?:;\d+)?R|\d+(?:;\d+){2,}t|200~)|`,
		// Colours and the clipboard; versions and settings; pictures
		String.raw`\](?:4|1\d|52);|P(?:[>!]\||[01][$+]r)|_G[a-z]=)`,
	].join(''),
);
const beginning = /^\x1b(?:\[(?:<[\d;]*|[?>][\d;:]*\$?|\[|\d[\d:;]*)?|\]\d{0,2}|P[>!01]?[$+]?|_G?[a-z]?)$/;
