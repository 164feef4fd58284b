/**
Finds escape sequences whose rest arrives late. On a slow connection, an ESC may arrive long before the rest of its
sequence, so inkpod takes it as the Escape key, or `ESC [` as Alt+[. The form of the late rest then shows that it
belongs to a sequence: a key with parameters, a mouse or focus report, an answer, or the start of a paste. Typed text of
a similar form is delayed for a moment and then delivered. If more than the introducer arrived before inkpod gave up a
sequence, the sequence was certainly a report. The rest of a report may arrive in several parts. A part without the end
of the report never becomes keys: it is delivered as a paste. Times are in milliseconds of the caller's clock.
*/
export type LateReports = {
	/** Records that no more bytes arrived in time after these bytes. The bytes became keys or were discarded. */
	gaveUp(bytes: string, now: number): void;
	/** Returns the new bytes. If the abandoned bytes and the new bytes form a report together, returns both. */
	join(bytes: Buffer, now: number): Joined;
	/** Whether the last `join` returned a sequence whose ESC had been taken as the Escape key. */
	wasEscape(): boolean;
	/**
	Tells whether bytes are delayed. `late`: more bytes may complete a report. `part`: the bytes are a part of a report
	whose end has not arrived.
	*/
	holds(): 'nothing' | 'late' | 'part';
	/** Returns the delayed bytes, because no more bytes arrived. */
	release(): Joined;
};

/** The result of a join. `pasted` is delivered before `bytes`, as pasted text and never as keys. */
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

	/** Joins bytes with the beginning of an abandoned report. */
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

/** Bytes that arrive after this number of milliseconds do not belong to an abandoned sequence. */
const lateness = 5000;

/** Parts of a report are delayed for at most this number of milliseconds. */
const longestHold = 400;

/** Tells whether the abandoned bytes contain more than an introducer. Nobody types such a sequence by hand. */
function isBegun(bytes: string): boolean {
	return /^\x1b(?:[\]P_^X]|\[[\d<=>?])/.test(bytes) && bytes.length > 2;
}

/**
Returns the part of an abandoned report that must be remembered. For a control string, this is only its introducer and
first byte, because its contents are discarded.
*/
function shortened(bytes: string): string {
	if (bytes.startsWith('\x1b[')) return bytes.length <= maxBytes ? bytes : '';
	return bytes.slice(0, 3) + (bytes.endsWith('\x1b') ? '\x1b' : '');
}

/** Tells whether these bytes contain the end of the report. */
function isEnd(begun: string, rest: string): boolean {
	if (begun.startsWith('\x1b[')) return isReport(begun + rest.slice(0, maxBytes));
	return begun.endsWith('\x1b') ? rest.startsWith('\\') : stringEnd.test(rest);
}

/** Tells whether these bytes may belong to the report but do not end it. */
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

/** Matches a key sequence with parameters. Nobody types such a sequence by hand. */
const longKey = /^\x1b\[[\d:;]+[A-HPQRSZu~]/;
/**
Matches a key sequence without parameters. A user may type these characters after the Escape key, but typed characters
do not arrive in a single read.
*/
const shortKey = /^\x1b\[(?:[A-HPQSZ]|\[[A-E])/;

const report = new RegExp(
	[
		// Mouse reports, focus reports, modes and attributes.
		String.raw`^\x1b(?:\[(?:<\d+;\d+;\d+[Mm]|[IO](?:$|\x1b)|[?>][\d;:]+\$?[a-zA-Z]|`,
		// Positions and sizes, and the beginning of a paste.
		String.raw`\d+;\d+(?:;\d+)?R|\d+(?:;\d+){2,}t|200~)|`,
		// Colours, the clipboard and program status, versions and settings, and pictures.
		String.raw`\](?:4|1\d|52|7501);|P(?:[>!]\||[01][$+]r)|_G[a-z]=)`,
	].join(''),
);
const beginning = /^\x1b(?:\[(?:<[\d;]*|[?>][\d;:]*\$?|\[|\d[\d:;]*)?|\](?:\d{0,2}|7501?)|P[>!01]?[$+]?|_G?[a-z]?)$/;
