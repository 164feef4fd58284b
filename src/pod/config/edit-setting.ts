import {isDeepStrictEqual} from 'node:util';
import {parse} from 'smol-toml';
import {isRecord} from '../ground/values/is-record.ts';
import {inlineEntries, startsWith, statementsOf, type Entry, type Header, type Statement} from './toml-statements.ts';
import {tomlKey, tomlValue, type SettingValue} from './toml-statements.ts';

/**
Returns a TOML text with a new value of one setting, or without the setting if `value` is `undefined`. All other bytes
and all comments stay as they are. The function parses the result and checks that only this setting differs. Returns
`undefined` if no edit can do this, for example for a setting in a list of tables.
*/
export function editSetting(
	text: string,
	path: readonly string[],
	value: SettingValue | undefined,
): string | undefined {
	const wanted = plain(withValue(plain(parse(text)), path, value));
	const edits = value === undefined ? removals(text, path) : writings(text, path, value);
	for (const edit of edits) {
		const edited = `${text.slice(0, edit.from)}${edit.text}${text.slice(edit.to)}`;
		if (means(edited, wanted)) return edited;
	}
	return undefined;
}

/** An edit that replaces the characters between two indexes. */
type Edit = {readonly from: number; readonly to: number; readonly text: string};

/** Returns the edits that can write a value, the best edit first. */
function writings(text: string, path: readonly string[], value: SettingValue): readonly Edit[] {
	const statements = statementsOf(text);
	const entries = statements.filter(each => each.kind === 'entry').filter(each => !each.isInList);
	return [
		...entries.flatMap(entry => replacements(text, entry, path, value)),
		...entries.flatMap(entry => inlineAdditions(text, entry, path, value)),
		...additions(text, statements, path, value),
	];
}

function replacements(text: string, entry: Entry, path: readonly string[], value: SettingValue): readonly Edit[] {
	const {path: own, valueStart, valueEnd} = entry;
	if (!startsWith(path, own)) return [];
	if (own.length === path.length) return [{from: valueStart, to: valueEnd, text: tomlValue(value)}];
	if (text[valueStart] !== '{') return [];
	return inlineEntries(text, valueStart, own).flatMap(inner => replacements(text, inner, path, value));
}

/** Returns the edits that add a key to an inline table. */
function inlineAdditions(text: string, entry: Entry, path: readonly string[], value: SettingValue): readonly Edit[] {
	const {path: own, valueStart, valueEnd} = entry;
	if (text[valueStart] !== '{' || own.length >= path.length || !startsWith(path, own)) return [];
	const inner = inlineEntries(text, valueStart, own);
	const written = `${tomlKey(path.slice(own.length))} = ${tomlValue(value)}`;
	const last = inner.at(-1);
	const edit =
		last === undefined
			? {from: valueStart, to: valueEnd, text: `{${written}}`}
			: {from: last.valueEnd, to: last.valueEnd, text: `, ${written}`};
	return [...inner.flatMap(each => inlineAdditions(text, each, path, value)), edit];
}

/** Returns the edits that add a line to the table of the setting, after a dotted key, or in a new table. */
function additions(
	text: string,
	statements: readonly Statement[],
	path: readonly string[],
	value: SettingValue,
): readonly Edit[] {
	const parent = path.slice(0, -1);
	const headers = statements.filter(each => each.kind === 'header');
	const inTable = headers
		.filter(({path: own, isList}) => !isList && isSame(own, parent))
		.map(header => lineAfter(text, lastOf(statements, header), path.slice(-1), value));
	const beside = statements
		.filter(each => each.kind === 'entry')
		.filter(({path: own, table, isInList}) => !isInList && startsWith(own, parent) && startsWith(path, table))
		.toReversed()
		.map(entry => lineAfter(text, entry, path.slice(entry.table.length), value));
	const line = `${tomlKey(path.slice(-1))} = ${tomlValue(value)}${breakOf(text)}`;
	const first = {from: 0, to: 0, text: text.trim() === '' ? line : `${line}${breakOf(text)}`};
	return [...inTable, ...beside, ...(parent.length === 0 ? [first] : [newTable(text, parent, line)])];
}

/** Returns the last entry below a header, or the header if its table is empty. */
function lastOf(statements: readonly Statement[], header: Header): Statement {
	const at = statements.indexOf(header);
	const next = statements.findIndex((each, index) => index > at && each.kind === 'header');
	return statements.slice(at, next < 0 ? undefined : next).at(-1) ?? header;
}

/** Returns the edit that adds a line after a statement, with the same indentation. */
function lineAfter(text: string, {start, end, kind}: Statement, key: readonly string[], value: SettingValue): Edit {
	const lineStart = text.lastIndexOf('\n', start - 1) + 1;
	const indent = kind === 'entry' ? text.slice(lineStart, start) : '';
	const before = text.slice(0, end).endsWith('\n') ? '' : breakOf(text);
	return {from: end, to: end, text: `${before}${indent}${tomlKey(key)} = ${tomlValue(value)}${breakOf(text)}`};
}

function newTable(text: string, table: readonly string[], line: string): Edit {
	const lineBreak = breakOf(text);
	const ended = text === '' || text.endsWith('\n') ? '' : lineBreak;
	const blank = text.trim() === '' ? '' : lineBreak;
	const header = `[${tomlKey(table)}]${lineBreak}`;
	return {from: text.length, to: text.length, text: `${ended}${blank}${header}${line}`};
}

/** Returns the edits that can remove a setting. A comment on its line stays. */
function removals(text: string, path: readonly string[]): readonly Edit[] {
	const entries = statementsOf(text).filter(each => each.kind === 'entry');
	const own = entries.filter(each => !each.isInList);
	return [
		...own.filter(entry => isSame(entry.path, path)).map(entry => withoutLine(text, entry)),
		...own.flatMap(entry => inlineRemovals(text, entry, path)),
		// The text does not contain this setting, so nothing changes.
		{from: 0, to: 0, text: ''},
	];
}

function withoutLine(text: string, {start, valueEnd, end}: Entry): Edit {
	const lineStart = text.lastIndexOf('\n', start - 1) + 1;
	const rest = text.slice(valueEnd, end);
	if (rest.trim() === '') return {from: lineStart, to: end, text: ''};
	return {from: start, to: valueEnd + rest.search(/\S/), text: ''};
}

function inlineRemovals(text: string, {path: own, valueStart}: Entry, path: readonly string[]): readonly Edit[] {
	if (text[valueStart] !== '{' || own.length >= path.length || !startsWith(path, own)) return [];
	const inner = inlineEntries(text, valueStart, own);
	return inner.flatMap((entry, index) => {
		if (!isSame(entry.path, path)) return inlineRemovals(text, entry, path);
		const [before, after] = [inner[index - 1], inner[index + 1]];
		if (after !== undefined) return [{from: entry.start, to: after.start, text: ''}];
		return [{from: before?.valueEnd ?? entry.start, to: entry.valueEnd, text: ''}];
	});
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
	return one.length === other.length && startsWith(one, other);
}

function breakOf(text: string): string {
	return text.includes('\r\n') ? '\r\n' : '\n';
}

function means(text: string, wanted: unknown): boolean {
	try {
		return isDeepStrictEqual(plain(parse(text)), wanted);
	} catch {
		// The edit makes the text invalid, so it is not used.
		return false;
	}
}

/** Returns a table with another value at a path. A table without any value is left out. */
function withValue(table: unknown, [key, ...rest]: readonly string[], value: SettingValue | undefined): unknown {
	if (key === undefined) return value;
	const known = isRecord(table) ? table : {};
	const inner = Object.hasOwn(known, key) ? known[key] : undefined;
	const changed = withValue(inner, rest, value);
	const others = Object.entries(known).filter(([name]) => name !== key);
	return Object.fromEntries(changed === undefined ? others : [...others, [key, changed]]);
}

/**
Returns a value without empty tables. The copy also removes prototypes, because parsed and literal tables have different
prototypes.
*/
function plain(value: unknown): unknown {
	return withoutEmpty(structuredClone(value));
}

function withoutEmpty(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutEmpty);
	if (!isRecord(value) || value instanceof Date) return value;
	const entries = Object.entries(value)
		.map(([key, each]) => [key, withoutEmpty(each)] as const)
		.filter(([, each]) => !(isRecord(each) && !(each instanceof Date) && Object.keys(each).length === 0));
	return Object.fromEntries(entries);
}
