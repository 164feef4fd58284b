import type {Finding} from './finding.ts';
import {endOf, lineStart, matchAt, passwordName} from './place.ts';
import {isPlainValue} from './plain-values.ts';
import {classOf} from './secret-names.ts';

/**
Returns the values that SQL writes into columns with the names of secrets: those of
`INSERT INTO t (a, b) VALUES (1, 2)`, and the lines after `COPY t (a, b) FROM stdin`.
*/
export function findInsertedValues(text: string): readonly Finding[] {
	const found: Finding[] = [];
	const [nextGap, nextStatement] = [nextIn(text, rowGap), nextIn(text, statementStart)];
	for (const {pattern, rowAt} of statements) {
		pattern.lastIndex = 0;
		for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
			const columns = columnsIn(match[1] ?? '');
			if (columns.length === 0) continue;
			let end: number | undefined = pattern.lastIndex;
			for (let row = rowAt(text, end); row !== undefined; row = rowAt(text, end)) {
				for (const {name, index} of columns) {
					const value = row.values.get(index);
					if (value !== undefined && !isPlain(value.text, name)) found.push(findingOf(value));
				}
				end = row.end;
				// A row that inkpod cannot read ends where the next row starts.
				if (row.isCut === true && nextGap(end) < nextStatement(end)) end = nextGap(end) + 1;
			}
			pattern.lastIndex = end;
		}
	}
	return found;
}

/** A column whose values are secrets. */
type Column = {readonly name: string; readonly index: number};

type Value = {readonly text: string; readonly start: number};

type Row = {
	readonly values: ReadonlyMap<number, Value>;
	readonly end: number;
	/** Whether the end of the row was not found. */
	readonly isCut?: boolean;
};

type Statement = {
	/** Matches the statement up to its first row. The group is the list of columns. */
	readonly pattern: RegExp;
	/** Returns the row at a position. */
	readonly rowAt: (text: string, at: number) => Row | undefined;
};

const gap = `\\s{0,20}(?:${lineStart})`;

const rowGap = new RegExp(`\\)(?=${gap},${gap}\\()`, 'g');

const statementStart = /\binsert\s{1,5}into\b/gi;

/** Returns a function that finds the next match from a position on. The positions ascend, so it remembers the match. */
function nextIn(text: string, pattern: RegExp): (from: number) => number {
	let next = -1;
	return from => {
		if (next >= from) return next;
		pattern.lastIndex = from;
		next = pattern.exec(text)?.index ?? Infinity;
		return next;
	};
}

function columnsIn(list: string): readonly Column[] {
	return list.split(',').flatMap((column, index) => {
		const [name = ''] = /[\w$.-]+(?=[^\w$]{0,40}$)/.exec(column.slice(-200)) ?? [];
		return classOf(name) === undefined ? [] : [{name, index}];
	});
}

function isPlain(value: string, name: string): boolean {
	return isPlainValue(value, {name, kind: classOf(name) ?? 'key', style: 'quoted', endsLine: true});
}

/** SQL doubles a quote in a text. */
function findingOf({text, start}: Value): Finding {
	const also = /''|""/.test(text) ? [text.replaceAll("''", "'").replaceAll('""', '"')] : [];
	return {name: passwordName, start, end: start + text.length, value: text, also};
}

const list = '\\(([^();]{1,4000})\\)';

const statements: readonly Statement[] = [
	{
		pattern: new RegExp(
			`\\binto\\s[^();]{1,300}${list}${gap}(?:(?:output|overriding)\\s[^();'"]{1,200})?(?:values?|(?=select\\s))`,
			'gi',
		),
		rowAt: tupleAt,
	},
	{
		pattern: new RegExp(`\\bcopy\\s[^();]{1,300}${list}\\s{1,20}from\\s{1,5}stdin[^\\n]{0,200}\\n`, 'gi'),
		rowAt: lineAt,
	},
];

/** Returns the values of `(1, 'x', f('y'))` or `select 1, 'x'`. The value of a function is its first text. */
function tupleAt(text: string, at: number): Row | undefined {
	const from = endOf(tupleStart, text, at);
	if (from === undefined) return undefined;
	const values = new Map<number, Value>();
	let [depth, index, last] = [1, 0, from];
	while (depth > 0 && last - from < maxRow) {
		const match = matchAt(token, text, last);
		if (match === undefined) break;
		const {0: whole, 1: single, 2: double} = match;
		const shown = single ?? double ?? /\d{4,40}(?=\s{0,40}$)/.exec(whole)?.[0];
		if (shown !== undefined && !values.has(index))
			values.set(index, {text: shown, start: last + whole.lastIndexOf(shown)});
		if (whole === '(') depth++;
		if (whole === ')' || whole === ';') depth--;
		if (whole === ',' && depth === 1) index++;
		last = token.lastIndex;
	}
	return {values, end: last, isCut: depth > 0};
}

const tupleStart = new RegExp(`${gap}(?:,${gap})?\\(|${gap}select\\s{1,5}`, 'iy');

/** Matches a text in quotes, a punctuation mark, or the text between them. */
const token = /'((?:[^'\\]|''|\\[^]){0,20000})'|"((?:[^"\\]|""|\\[^]){0,20000})"|[(),;]|[^'"(),;]{1,1000}/y;

/** Returns the values of a line with tabs. */
function lineAt(text: string, at: number): Row | undefined {
	const end = text.indexOf('\n', at);
	const line = text.slice(at, Math.min(end < 0 ? text.length : end, at + maxRow));
	// The first column may be empty.
	if (/^(?:\\\.|[^\S\t]|copy\s|$)/i.test(line)) return undefined;
	const values = new Map<number, Value>();
	let start = at;
	for (const [index, cell] of line.split('\t').entries()) {
		values.set(index, {text: cell.trimEnd(), start});
		start += cell.length + 1;
	}
	return {values, end: end < 0 ? text.length : end + 1};
}

const maxRow = 20_000;
