import type {FileRef, Range} from '../../pod/protocol.ts';
import type {Atom, Line} from './graphemes.ts';

/** Finds a line range at the start of a text: `:10`, `:10-20`, `:10-`, `#L10` or `#L10-L20`. */
export function rangeAtStart(text: string): {readonly range: Range; readonly length: number} | undefined {
	const found = atStart.exec(text.slice(0, maxLength + 1));
	const range = rangeOf(found);
	return found === null || range === undefined ? undefined : {range, length: found[0].length};
}

/**
Finds a line range at the end of a token. An incomplete range (`:`, `#L`, `:10-2`) has no `range` in the result. Returns
`undefined` if there is no name before the range.
*/
export function rangeAtEnd(token: string): {readonly range: Range | undefined; readonly length: number} | undefined {
	const found = atEnd.exec(token.slice(-maxLength));
	if (found === null || found[0].length === token.length) return undefined;
	return /^\D+0/.test(found[0]) ? undefined : {range: rangeOf(found), length: found[0].length};
}

/**
Joins a file chip and the range that the user typed between the chip and `column`. The new chip replaces the atoms from
`from` to `column`.
*/
export function foldRange(line: Line, column: number): {readonly from: number; readonly chip: FileRef} | undefined {
	const from = chipBefore(line, column);
	const chip = line[from ?? -1];
	if (from === undefined || !isOpen(chip)) return undefined;
	const text = textOf(line, from + 1, column);
	const found = rangeAtStart(text);
	return found?.length === text.length ? {from, chip: {...chip, range: found.range}} : undefined;
}

/**
Tells whether a range begins directly after the space that follows a file chip. `space` is the column after that space.
*/
export function beginsRange(line: Line, space: number, column: number): boolean {
	const text = textOf(line, space, Math.min(column, space + 3));
	return line[space - 1] === ' ' && isOpen(line[space - 2]) && /^(?::\d|#L\d)/.test(text);
}

/** Returns the text of the atoms `[from, to)`, without chips. */
export function textOf(line: Line, from: number, to: number): string {
	return line
		.slice(from, to)
		.filter(atom => typeof atom === 'string')
		.join('');
}

function chipBefore(line: Line, column: number): number | undefined {
	let at = column - 1;
	while (at >= Math.max(0, column - maxLength) && typeof line[at] === 'string') at--;
	return at < column - 1 && typeof line[at] === 'object' ? at : undefined;
}

function isOpen(atom: Atom | undefined): atom is FileRef {
	return typeof atom === 'object' && atom.type === 'file_ref' && atom.range === undefined;
}

function rangeOf(found: RegExpExecArray | null): Range | undefined {
	const {first, open, last, from, to} = found?.groups ?? {};
	const start = Number(first ?? from ?? 0);
	const end = last ?? to;
	const until = end === undefined ? (open === undefined ? start : undefined) : Number(end);
	if (start < 1 || (until !== undefined && until < start)) return undefined;
	return until === undefined ? {first: start} : {first: start, last: until};
}

/** The maximum number of characters of a range. */
const maxLength = 24;
const pattern = String.raw`:(?<first>\d{1,9})(?<open>-(?<last>\d{1,9})?)?|#L(?<from>\d{1,9})(?:-L?(?<to>\d{1,9}))?`;
const atStart = new RegExp(`^(?:${pattern})(?![\\w-])`);
const atEnd = new RegExp(`(?:${pattern}|:|#L?)$`);
