import type {Finding} from './finding.ts';
import {matchAt, passwordName} from './place.ts';
import {isPlainValue, looksChosen} from './plain-values.ts';
import {classOf, type NameClass} from './secret-names.ts';

/**
Returns the values in the columns of tables whose names are those of secrets. The tables are CSV with a line of names,
and those of Markdown, psql and mysql. A value must have letters and digits.
*/
export function findInTables(text: string): readonly Finding[] {
	const found: Finding[] = [];
	for (const {head, separator} of tables) {
		head.lastIndex = 0;
		for (let match = head.exec(text); match !== null; match = head.exec(text)) {
			const line = match[1] ?? '';
			const names = cellsOf(line, 0, separator).map(cell => cell.text);
			if (separator !== '|' && isProse(line, names)) continue;
			const columns = names.flatMap((name, index) => columnOf(name, index));
			if (columns.length > 0) head.lastIndex = addRows(text, head.lastIndex, {names, columns, separator}, found);
		}
	}
	return found;
}

/** Tells whether a line is not a line of names: it has blanks in names without quotes that begin in lower case. */
function isProse(line: string, names: readonly string[]): boolean {
	return !line.includes('"') && names.some(name => name.includes(' ')) && names.some(name => /^[^A-Z]/.test(name));
}

type Column = {readonly name: string; readonly kind: NameClass; readonly index: number};

type Table = {readonly names: readonly string[]; readonly columns: readonly Column[]; readonly separator: string};

type Cell = {readonly text: string; readonly start: number};

function columnOf(name: string, index: number): readonly Column[] {
	const kind = classOf(name);
	return kind === undefined || kind === 'key' ? [] : [{name, kind, index}];
}

/** Adds the values of the rows from a position on. Returns the position after the last row. */
function addRows(text: string, from: number, {names, columns, separator}: Table, found: Finding[]): number {
	let at = from;
	for (let next = rowAt(text, at, separator); next !== undefined; next = rowAt(text, at, separator)) {
		const {cells, end} = next;
		if (cells.length !== names.length) break;
		for (const {name, kind, index} of columns) {
			const {text: value, start} = cells[index] ?? {text: '', start: 0};
			if (!looksChosen(value) || isPlainValue(value, {name, kind, style: 'quoted', endsLine: true})) continue;
			const also = value.includes('""') ? [value.replaceAll('""', '"')] : [];
			found.push({name: passwordName, start, end: start + value.length, value, also});
		}
		at = end;
		if (text[at - 1] !== '\n') break;
	}
	return at;
}

/** Returns the row at a position. In CSV, a text in quotes may contain line breaks. */
function rowAt(
	text: string,
	at: number,
	separator: string,
): {readonly cells: readonly Cell[]; readonly end: number} | undefined {
	const [whole, before = '', shown = ''] = matchAt(row, text, at) ?? [];
	if (whole === undefined) return undefined;
	const end = separator === '|' ? 0 : recordEnd(text, at + before.length);
	if (end <= at + whole.length) return {cells: cellsOf(shown, at + before.length, separator), end: at + whole.length};
	const record = text.slice(at + before.length, end).trimEnd();
	return {cells: cellsOf(record, at + before.length, separator), end};
}

/** Returns where the record at a position ends, or 0 if it is too long. */
function recordEnd(text: string, from: number): number {
	let isOpen = false;
	for (let at = from; at - from < maxRecord; at++) {
		if (at >= text.length) return isOpen ? 0 : at;
		if (text[at] === '"') isOpen = !isOpen;
		if (!isOpen && text[at] === '\n') return at + 1;
	}
	return 0;
}

const maxRecord = 20_000;

/** Returns the cells of a line, without blanks and quotes around them. */
function cellsOf(line: string, from: number, separator: string): readonly Cell[] {
	const cells: Cell[] = [];
	let at = 0;
	for (const whole of partsOf(line, separator)) {
		const [before = ''] = /^[\s"'`]*/.exec(whole) ?? [];
		cells.push({text: whole.slice(before.length).replace(/[\s"'`]+$/, ''), start: from + at + before.length});
		at += whole.length + 1;
	}
	return cells;
}

/** In CSV, a cell in quotes may contain the separator. */
function partsOf(line: string, separator: string): readonly string[] {
	if (separator === '|' || !line.includes('"')) return line.split(separator);
	const parts: string[] = [];
	let isOpen = false;
	let last = 0;
	for (let at = 0; at < line.length; at++) {
		if (line[at] === '"') isOpen = !isOpen;
		if (isOpen || line[at] !== separator) continue;
		parts.push(line.slice(last, at));
		last = at + 1;
	}
	return [...parts, line.slice(last)];
}

/** The text that diffs and quotations write before a line, and the border of a table. */
const prefix = String.raw`\uFEFF?[ \t]{0,20}(?:[+>-][ \t]?){0,2}\|?`;

const row = new RegExp(`(${prefix})([^\\r\\n]{1,20000}?)\\|?[ \\t]{0,20}(?:\\r?\\n|$)`, 'y');

/** A name in CSV. What follows a name must not also be a part of it, because a search would take too long. */
const cell = '[ \\t]{0,3}["\'`]?[\\w.$][\\w.$()/: -]{0,60}(?:["\'`][ \\t]{0,3})?';

const tables: ReadonlyArray<{readonly head: RegExp; readonly separator: string}> = [
	...[',', ';', '\t'].map(separator => ({
		head: new RegExp(`^${prefix}((?:${cell.replaceAll('\\t', '')}${separator}){1,40}${cell})\\r?\\n`, 'gm'),
		separator,
	})),
	{
		head: new RegExp(
			`^${prefix}([^|\\r\\n]{1,80}(?:\\|[^|\\r\\n]{1,80}){0,40})\\|?\\r?\\n${prefix}[-+|: ]{3,2000}\\r?\\n`,
			'gm',
		),
		separator: '|',
	},
];
