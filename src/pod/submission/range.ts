import type {Range} from '../protocol.ts';

/** `:10`, `:10-20`, `:10-`, `#L10`, `#L10-L20`: 1-based, inclusive. */
const suffix = /(?::(?<from>\d{1,9})(?<dash>-(?<to>\d{1,9})?)?|#L(?<line>\d{1,9})(?:-L?(?<until>\d{1,9}))?)/;
const atEnd = new RegExp(`${suffix.source}$`);
const atStart = new RegExp(`^${suffix.source}(?![\\p{L}\\p{N}_])`, 'u');

/** Divides `path:10-20` into path and range. `undefined` where there is no range at the end, or nothing before it. */
export function splitRange(name: string): {readonly path: string; readonly range: Range} | undefined {
	const found = atEnd.exec(name);
	const range = rangeOf(found?.groups);
	return found === null || found.index === 0 || range === undefined ? undefined : {path: name.slice(0, found.index), range};
}

/** The range that a text begins with, and how many characters it has. */
export function leadingRange(text: string): {readonly range: Range; readonly length: number} | undefined {
	const found = atStart.exec(text.slice(0, 64));
	const range = rangeOf(found?.groups);
	return found === null || range === undefined ? undefined : {range, length: found[0].length};
}

function rangeOf(groups: Readonly<Record<string, string | undefined>> | undefined): Range | undefined {
	const first = Number(groups?.['from'] ?? groups?.['line'] ?? 0);
	const end = groups?.['to'] ?? groups?.['until'];
	if (first === 0 || end === '0') return undefined;
	if (end !== undefined) return {first, last: Number(end)};
	return groups?.['dash'] === undefined ? {first, last: first} : {first};
}
