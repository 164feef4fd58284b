import {cellsOf, lineRow, lineRows, makeRow, type Row} from '../../text/row.ts';
import type {Span} from '../../text/span.ts';
import type {DiffLine} from './diff-lines.ts';
import type {DiffLayout, DiffPart} from './diff-layout.ts';
import {fillStyle} from './diff-spans.ts';

/** Returns rows with the old text on the left and the new text on the right. Lines of one change are side by side. */
export function splitRows(parts: readonly DiffPart[], digits: number, layout: DiffLayout): readonly Row[] {
	const columns = layout.columns - layout.gutter.length - middle.length;
	const [left, right] = [Math.floor(columns / 2), Math.ceil(columns / 2)];
	return pairsOf(parts).flatMap(({old, fresh}) => {
		const before = sideRows(old, digits, left, layout);
		const after = sideRows(fresh, digits, right, layout);
		return Array.from({length: Math.max(before.length, after.length)}, (_, index) =>
			joined(
				before[index] ?? emptySide(left),
				after[index] ?? emptySide(right),
				index === 0 ? layout.gutter : (layout.rest ?? layout.gutter),
			),
		);
	});
}

const middle = ' │ ';

type Pair = {readonly old: DiffPart | undefined; readonly fresh: DiffPart | undefined};

/** Returns the lines of the left and the right side. A line outside of the changes is on both. */
function pairsOf(parts: readonly DiffPart[]): readonly Pair[] {
	const pairs: Pair[] = [];
	for (let at = 0; at < parts.length;) {
		const removed = runOf(parts, at, 'removed');
		const added = runOf(parts, at + removed, 'added');
		if (removed + added === 0) {
			const part = parts[at];
			pairs.push({old: part, fresh: part?.line.kind === 'hunk' ? undefined : part});
			at++;
			continue;
		}
		for (let pair = 0; pair < Math.max(removed, added); pair++)
			pairs.push({
				old: pair < removed ? parts[at + pair] : undefined,
				fresh: pair < added ? parts[at + removed + pair] : undefined,
			});
		at += removed + added;
	}
	return pairs;
}

function runOf(parts: readonly DiffPart[], from: number, kind: DiffLine['kind']): number {
	let count = 0;
	while (parts[from + count]?.line.kind === kind) count++;
	return count;
}

/** One side of a row, exactly as wide as the side. */
type Side = readonly Span[];

function sideRows(part: DiffPart | undefined, digits: number, columns: number, layout: DiffLayout): readonly Side[] {
	if (part === undefined) return [];
	const {line, spans} = part;
	const {rest, goesOn, prepare} = layout;
	const lead = (text: string): Span => ({text: `${text.padStart(digits)} `, style: 'dim'});
	const own = {columns, gutter: lead(String(line.number ?? '')), rest: lead(''), ...(goesOn && {goesOn})};
	const inert = prepare === undefined ? spans : prepare(spans);
	const rows = rest === undefined ? [lineRow(inert, own)] : lineRows(inert, own);
	const style = fillStyle(line.kind);
	return rows.map(row => {
		const fill = ' '.repeat(Math.max(0, columns - cellsOf(row)));
		const all = [row.gutter, ...row.spans, row.end].filter(span => span !== undefined);
		return fill === '' ? all : [...all, style === undefined ? {text: fill} : {text: fill, style: `${style}.fill`}];
	});
}

function emptySide(columns: number): Side {
	return [{text: ' '.repeat(columns)}];
}

function joined(before: Side, after: Side, gutter: string): Row {
	return makeRow([...before, {text: middle, style: 'dim'}, ...after], 'text', {text: gutter, style: 'dim'});
}
