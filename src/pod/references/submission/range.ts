import type {Range} from '../../protocol.ts';
import {cjk} from './token.ts';

/**
Matches ranges like `:10`, `:10-20`, `:10-`, `#L10`, `#L10-L20`, which are 1-based and inclusive. Larger numbers become
MAX_SAFE_INTEGER.
*/
const suffix = /(?::(?<from>\d{1,24})(?<dash>-(?<to>\d{1,24})?)?|#L(?<line>\d{1,24})(?:-L?(?<until>\d{1,24}))?)/;
const atEnd = new RegExp(`${suffix.source}$`);
/** Matches a range at the start of a text. No word may follow it, but CJK text may follow without a space. */
const atStart = new RegExp(`^${suffix.source}(?!(?!${cjk.source})[\\p{L}\\p{N}_])`, 'u');

/** A range in a text. `range` is absent if it contains line 0, which does not exist in any file. */
type Found = {readonly range: Range | undefined};

/**
Splits `path:10-20` into path and range. Returns `undefined` without a range at the end, or without a path before it.
*/
export function splitRange(name: string): (Found & {readonly path: string}) | undefined {
	const found = atEnd.exec(name);
	return found === null || found.index === 0
		? undefined
		: {path: name.slice(0, found.index), range: rangeOf(found.groups)};
}

/** Returns the range at the start of a text, and its length in characters. */
export function leadingRange(text: string): (Found & {readonly length: number}) | undefined {
	const found = atStart.exec(text.slice(0, 64));
	return found === null ? undefined : {range: rangeOf(found.groups), length: found[0].length};
}

function rangeOf(groups: Readonly<Record<string, string | undefined>> | undefined): Range | undefined {
	const first = lineNumber(groups?.['from'] ?? groups?.['line'] ?? '0');
	const end = groups?.['to'] ?? groups?.['until'];
	const last = end === undefined ? undefined : lineNumber(end);
	if (first === 0 || last === 0) return undefined;
	if (last !== undefined) return {first, last};
	return groups?.['dash'] === undefined ? {first, last: first} : {first};
}

function lineNumber(digits: string): number {
	return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}
