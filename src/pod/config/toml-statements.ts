import {parse} from 'smol-toml';
import {endOfToken, statementStarts} from './toml-lines.ts';

/** A statement of a valid TOML document. Positions are indexes into the text. */
export type Statement = Header | Entry;

/** `[a.b]` begins a table, and `[[a]]` begins an entry of a list of tables. */
export type Header = {
	readonly kind: 'header';
	readonly path: readonly string[];
	readonly isList: boolean;
	readonly start: number;
	/** The index after the line break of the header. */
	readonly end: number;
};

/** `key = value`. */
export type Entry = {
	readonly kind: 'entry';
	/** The keys of the path from the root of the document. */
	readonly path: readonly string[];
	/** The path of the table that contains the entry. */
	readonly table: readonly string[];
	/** Whether the entry is in a list of tables. */
	readonly isInList: boolean;
	/** The start of the key. */
	readonly start: number;
	readonly valueStart: number;
	readonly valueEnd: number;
	/** The index after the comment and the line break of the entry. */
	readonly end: number;
};

/** Returns the statements of a valid document, in order. */
export function statementsOf(text: string): readonly Statement[] {
	const starts = statementStarts(text).map(({index}) => index);
	const found: Statement[] = [];
	let table: readonly string[] = [];
	let isInList = false;
	for (const [index, from] of starts.entries()) {
		const end = starts[index + 1] ?? text.length;
		const start = from + (/^\s*/.exec(text.slice(from, end))?.[0].length ?? 0);
		if (start >= end || text[start] === '#') continue;
		if (text[start] === '[') {
			const isList = text[start + 1] === '[';
			const inner = text.slice(start + (isList ? 2 : 1), closing(text, start));
			table = keysOf(inner);
			isInList = isList || (isInList && isBelowList(table, found));
			found.push({kind: 'header', path: table, isList, start, end});
		} else found.push({...entryAt(text, start, end, table), isInList, end});
	}
	return found;
}

/** Returns the entries of the inline table that begins at an index. */
export function inlineEntries(text: string, from: number, table: readonly string[]): readonly Entry[] {
	const entries: Entry[] = [];
	const end = closing(text, from);
	for (let start = from + 1; start < end;) {
		const stop = endOfPart(text, start, end);
		const key = start + (/^\s*/.exec(text.slice(start, stop))?.[0].length ?? 0);
		if (key < stop) entries.push({...entryAt(text, key, stop, table), isInList: false, end: stop});
		start = stop + 1;
	}
	return entries;
}

function entryAt(
	text: string,
	start: number,
	end: number,
	table: readonly string[],
): Pick<Entry, 'kind' | 'path' | 'table' | 'start' | 'valueStart' | 'valueEnd'> {
	let equals = start;
	while (text[equals] !== '=' && equals < end) equals = endOfToken(text, equals);
	const valueStart = equals + 1 + (/^[\t ]*/.exec(text.slice(equals + 1, end))?.[0].length ?? 0);
	const path = [...table, ...keysOf(text.slice(start, equals))];
	return {kind: 'entry', path, table, start, valueStart, valueEnd: endOfValue(text, valueStart, end)};
}

/** Returns the end of a value, without the spaces and the comment after the value. */
function endOfValue(text: string, from: number, limit: number): number {
	let depth = 0;
	let end = from;
	for (let index = from; index < limit;) {
		const character = text.charAt(index);
		if (depth === 0 && (character === '#' || character === '\n')) break;
		const next = endOfToken(text, index);
		if (character === '[' || character === '{') depth += 1;
		if (character === ']' || character === '}') depth -= 1;
		if (!/\s/.test(character)) end = next;
		index = next;
	}
	return end;
}

/** Returns the index of the next comma outside of brackets. */
function endOfPart(text: string, from: number, limit: number): number {
	let depth = 0;
	for (let index = from; index < limit; index = endOfToken(text, index)) {
		const character = text.charAt(index);
		if (depth === 0 && character === ',') return index;
		if (character === '[' || character === '{') depth += 1;
		if (character === ']' || character === '}') depth -= 1;
	}
	return limit;
}

/** Returns the index of the bracket that closes the bracket at `from`. In a header, that is the first `]`. */
function closing(text: string, from: number): number {
	const isTable = text[from] === '{';
	let depth = 0;
	for (let index = from; index < text.length; index = endOfToken(text, index)) {
		const character = text.charAt(index);
		if (!isTable && character === ']') return index;
		if (character === '[' || character === '{') depth += 1;
		if (character === ']' || character === '}') depth -= 1;
		if (isTable && depth === 0) return index;
	}
	return text.length;
}

/** Decodes a dotted key. */
function keysOf(text: string): readonly string[] {
	const keys: string[] = [];
	let here: unknown = parse(`${text.trim()} = 0`);
	while (typeof here === 'object' && here !== null) {
		const [[key, value] = ['', undefined]] = Object.entries(here);
		keys.push(key);
		here = value;
	}
	return keys;
}

function isBelowList(path: readonly string[], found: readonly Statement[]): boolean {
	return found.some(each => each.kind === 'header' && each.isList && startsWith(path, each.path));
}

/** Tells whether a path begins with another one. */
export function startsWith(path: readonly string[], beginning: readonly string[]): boolean {
	return beginning.length <= path.length && beginning.every((key, index) => path[index] === key);
}

/** The value of a setting. */
export type SettingValue = string | number | boolean | readonly string[];

/** Returns a value as TOML. */
export function tomlValue(value: SettingValue): string {
	if (typeof value === 'string') return quotedText(value);
	return typeof value === 'object' ? `[${value.map(quotedText).join(', ')}]` : String(value);
}

/** Returns a dotted key. A part is in quotes only if TOML requires that. */
export function tomlKey(path: readonly string[]): string {
	return path.map(part => (/^[\w-]+$/.test(part) ? part : quotedText(part))).join('.');
}

/** Returns a TOML string. Invisible characters become escapes, because names of servers may contain them. */
export function quotedText(text: string): string {
	const escaped = (character: string) => {
		const code = character.codePointAt(0)!.toString(16);
		return character.length === 1 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
	};
	return JSON.stringify(text).replaceAll(/(?! )[\p{C}\p{Z}]/gu, escaped);
}
