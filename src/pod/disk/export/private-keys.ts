import type {Finding} from './finding.ts';

/**
Returns the private keys of a text: PEM, OpenSSH, PGP, SSH2 and PuTTY. A key ends at its END line or, if that is
missing, where its base64 ends. Its lines may be escaped, numbered, quoted, or in a diff. A key without its first line
is found by its END line.
*/
export function findPrivateKeys(text: string): readonly Finding[] {
	if (!/PRIVATE KEY|Private-Lines/.test(text)) return [];
	const found: Finding[] = [];
	const marks = [...text.matchAll(marker)].map(({0: mark, index}) => ({
		start: index,
		end: index + mark.length,
		isEnd: closing.test(mark),
	}));
	let last = 0;
	for (const [number, mark] of marks.entries()) {
		if (mark.start < last) continue;
		const next = marks[number + 1] ?? {start: text.length, end: text.length, isEnd: false};
		const start = mark.isEnd ? startOf(text, last, mark.start) : mark.start;
		const end = mark.isEnd ? mark.end : endOf(text, mark.end, next);
		const key = finding(text, start, end);
		if (key.value !== '') found.push(key);
		last = end;
	}
	return found;
}

type Mark = {readonly start: number; readonly end: number; readonly isEnd: boolean};

const kind = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?';
const closing = /^-{4,5} ?END|^Private-MAC/;
const marker = new RegExp(
	`-{4,5} ?(?:BEGIN|END) ${kind} ?-{4,5}|Private-MAC: ?[0-9a-f]{10,64}|Private-Lines: ?\\d{1,4}`,
	'g',
);

/** The break between two lines, which may be escaped several times. */
const lineBreak = /\r?\n|(?:\\{1,8}r)?\\{1,8}n/;
const maxKeyLength = 40_000;

/** Returns the end of a key whose first line ends at `from`. */
function endOf(text: string, from: number, next: Mark): number {
	const limit = Math.min(next.start, from + maxKeyLength);
	let end = from;
	for (const {at, line} of linesOf(text, from, limit)) {
		const taken = keyPart(line);
		if (taken === undefined) return end;
		if (taken > 0) end = at + taken;
	}
	return next.isEnd && limit === next.start ? next.end : end;
}

/** Returns the start of a key whose END line is at `to`. */
function startOf(text: string, least: number, to: number): number {
	let start = to;
	for (const {at, line} of linesOf(text, Math.max(least, to - maxKeyLength), to).toReversed()) {
		const run = longRun.exec(line);
		if (run === null && start < to) return start;
		if (run !== null) start = at + run.index;
	}
	return start;
}

function linesOf(text: string, from: number, to: number): ReadonlyArray<{readonly at: number; readonly line: string}> {
	const lines: Array<{at: number; line: string}> = [];
	let at = from;
	for (const part of text.slice(from, to).split(new RegExp(`(${lineBreak.source})`))) {
		if (lines.length === 0 || !wholeBreak.test(part)) lines.push({at, line: part});
		at += part.length;
	}
	return lines;
}

const wholeBreak = new RegExp(`^(?:${lineBreak.source})$`);
const longRun = /[A-Za-z0-9+/]{24,}={0,2}/;
const header = new RegExp(
	'(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Encryption|Public-Lines|Subject|Key-Derivation' +
		String.raw`|Argon2-\w{1,20}):`,
);

/** Returns the end of a key's part in a line, 0 for an empty line, or `undefined` if the key is over. */
function keyPart(line: string): number | undefined {
	const run = longRun.exec(line);
	if (run !== null) return run.index + run[0].length;
	if (header.test(line)) return line.length;
	const [, short] = shortLine.exec(line) ?? [];
	if (short !== undefined) return line.lastIndexOf(short) + short.length;
	return emptyLine.test(line) ? 0 : undefined;
}

/** What a search, a listing or a diff writes before a line. */
const before = String.raw`^(?:[^\s:]{1,300}[:-]\d{1,9}[:-])?[^A-Za-z]{0,20}`;
const shortLine = new RegExp(`${before}([A-Za-z0-9+/]{1,23}={0,2})["',;\\s+\\\\)]{0,8}$`);
const emptyLine = new RegExp(`${before}$`);

/** The same key in another form has the same value. */
function finding(text: string, start: number, end: number): Finding {
	const whole = text.slice(start, end).replaceAll(new RegExp(lineBreak, 'g'), '\n');
	const runs = [...whole.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([run]) => run);
	// A key that was cut in its first line has only the beginning of one.
	const [, short = ''] = /-\s{1,2}([A-Za-z0-9+/]{4,15})$/.exec(whole) ?? [];
	return {name: 'private key', start, end, value: runs.join('') || short, also: runs};
}
