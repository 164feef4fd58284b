import {isCandidate, markOf, invisibleRuns, type InvisibleRun} from './invisible.ts';
import {width} from './width.ts';

/**
Turns stored text into text for rows (L10). The result contains no control sequences for a terminal. C0 controls and DEL
become control pictures (`␛`), and C1 controls become marks such as `⟨9b⟩`. A carriage return is shown as a picture too,
a tab becomes spaces up to the next tab stop (every fourth cell), and newlines stay. A lone surrogate becomes U+FFFD, or
`\xNN` if it is a byte of a path that is not UTF-8. Each run of characters that a model reads but a terminal does not
draw (invisible.ts) becomes a mark. Legitimate characters stay. A line that begins with a combining mark gets a `◌` at
its start. Each line is sanitized independently of the other lines.
*/
export function sanitize(text: string): string {
	if (plain.test(text)) return text;
	const formed = wellFormed(text);
	if (!formed.includes('\n')) return joined(formed, changesOf(formed));
	if (!isSuspect(formed) && !hasMarkFirst(formed)) return formed;
	return formed
		.split('\n')
		.map(line => joined(line, changesOf(line)))
		.join('\n');
}

/** Sanitizes a text that is shown on one line (paths, commands, titles). Newlines and tabs become pictures, too. */
export function sanitizeLine(text: string): string {
	return sanitize(oneLine(text));
}

/** Turns a text into one line. Newlines and tabs become pictures. */
export function oneLine(text: string): string {
	return text.replaceAll('\t', '␉').replaceAll('\n', '␊');
}

/** A part of a line for which another text (`shown`) is shown. */
export type Change = {readonly from: number; readonly to: number; readonly shown: string};

/** Returns the changes of one well-formed line, in order. If there are no changes, the line is shown unchanged. */
export function changesOf(line: string, mark: Mark = markOf): readonly Change[] {
	if (plain.test(line)) return none;
	const changes: Change[] = markFirst.test(line) ? [{from: 0, to: 0, shown: '◌'}] : [];
	if (!isSuspect(line)) return changes.length === 0 ? none : changes;
	for (const {from, to, characters} of invisibleRuns(line)) changes.push({from, to, shown: mark(characters)});
	if (!active.test(line)) return changes;
	for (const {0: found, index} of line.matchAll(eachActive)) {
		changes.push({from: index, to: index + 1, shown: found === '\t' ? '\t' : picture(found)});
	}
	return withTabs(
		line,
		changes.toSorted((one, other) => one.from - other.from),
	);
}

/** Sanitizes the pieces of a line as parts of that line. A change that spans two pieces belongs to the first one. */
export function sanitizePieces(pieces: readonly string[], known?: readonly Change[]): readonly string[] {
	const line = pieces.join('').toWellFormed();
	const changes = known ?? changesOf(line);
	if (pieces.length === 1) return [joined(line, changes)];
	let start = 0;
	let next = 0;
	let index = 0;
	return pieces.map((piece, at) => {
		const end = start + piece.length;
		const reach = at === pieces.length - 1 ? Number.POSITIVE_INFINITY : end;
		let shown = '';
		for (let change = changes[next]; change !== undefined && change.from < reach; change = changes[++next]) {
			shown += line.slice(index, change.from) + change.shown;
			index = change.to;
		}
		shown += line.slice(index, Math.max(index, end));
		index = Math.max(index, end);
		start = end;
		return shown;
	});
}

/** Returns the index in the stored line for each code unit of the shown line, and for its end. */
export function locate(line: string, changes: readonly Change[]): number[] {
	const at: number[] = [];
	let index = 0;
	for (const {from, to, shown} of changes) {
		for (; index < from; index++) at.push(index);
		for (let unit = 0; unit < shown.length; unit++) at.push(from);
		index = to;
	}
	for (; index <= line.length; index++) at.push(index);
	return at;
}

/** Returns the text without lone surrogates. */
export function wellFormed(text: string): string {
	return text.isWellFormed() ? text : withBytes(text).toWellFormed();
}

/**
Shows the bytes of paths that are not UTF-8. Each such byte is stored as a lone surrogate
(pod/ground/files/byte-path.ts).
*/
function withBytes(text: string): string {
	return text.replaceAll(/[\udc80-\udcff]/gu, found => String.raw`\x${(found.charCodeAt(0) & 0xff).toString(16)}`);
}

/** Returns the mark for a run of invisible characters. */
type Mark = (characters: InvisibleRun['characters']) => string;

const none: readonly Change[] = [];
const tabStop = 4;
/** Matches plain text, which needs no change. Most text is plain. */
const plain = /^[\n\u0020-\u007e]*$/;
const active = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const eachActive = new RegExp(active, 'g');
const markFirst = /^(?!\p{Default_Ignorable_Code_Point})\p{M}/u;

/** Tells whether a text may need changes. This is a fast test of each code unit. */
function isSuspect(text: string): boolean {
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code < 0xa0 ? (code < 0x20 && code !== 0x0a) || code > 0x7e : isCandidate(code)) return true;
	}
	return false;
}

function hasMarkFirst(text: string): boolean {
	for (let at = 0; at !== -1 && at < text.length;) {
		if (text.charCodeAt(at) >= 0x300 && markFirst.test(text.slice(at, at + 2))) return true;
		const end = text.indexOf('\n', at);
		at = end === -1 ? -1 : end + 1;
	}
	return false;
}

function picture(found: string): string {
	const code = found.charCodeAt(0);
	if (code < 0x20) return String.fromCharCode(0x2400 + code);
	return code === 0x7f ? '␡' : `⟨${code.toString(16)}⟩`;
}

function joined(line: string, changes: readonly Change[]): string {
	if (changes.length === 0) return line;
	let out = '';
	let index = 0;
	for (const {from, to, shown} of changes) {
		out += line.slice(index, from) + shown;
		index = to;
	}
	return out + line.slice(index);
}

/** Replaces each tab with spaces up to the next tab stop. */
function withTabs(line: string, changes: readonly Change[]): readonly Change[] {
	if (!line.includes('\t')) return changes;
	let index = 0;
	let column = 0;
	return changes.map(change => {
		column += width(line.slice(index, change.from));
		const shown = change.shown === '\t' ? ' '.repeat(tabStop - (column % tabStop)) : change.shown;
		column += width(shown);
		index = change.to;
		return {...change, shown};
	});
}
