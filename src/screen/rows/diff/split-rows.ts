import {lazyRow, restyledRows} from '../../spans/lazy-row.ts';
import type {RowParts} from '../../spans/row-list.ts';
import {cellsOf, inertSpans, lineRow, lineRows, plainText, type Row} from '../../spans/row.ts';
import type {Span} from '../../../text/span.ts';
import {surelyFits, width} from '../../../text/width.ts';
import type {DiffLine} from './diff-lines.ts';
import type {DiffLayout, DiffPart} from './diff-layout.ts';
import {fillStyle} from './diff-spans.ts';

/** Returns rows with the old text on the left and the new text on the right. Lines of one change are side by side. */
export function splitParts(parts: readonly DiffPart[], digits: number, layout: DiffLayout): RowParts {
	const columns = layout.columns - layout.gutter.length - middle.length;
	const [left, right] = [Math.floor(columns / 2), Math.ceil(columns / 2)];
	const pairs = pairsOf(parts);
	const sides = (pair: Pair | undefined) => ({
		before: sideRows(pair?.old, digits, left, layout),
		after: sideRows(pair?.fresh, digits, right, layout),
	});
	const room = left - digits - 1 - width(layout.goesOn?.text ?? '');
	const fits = (side: DiffPart | undefined) =>
		side === undefined || side.line.kind === 'hunk' || surelyFits(side.line.text, room);
	return {
		parts: pairs.length,
		count(part) {
			if (layout.rest === undefined) return 1;
			const pair = pairs[part];
			if (fits(pair?.old) && fits(pair?.fresh)) return 1;
			const {before, after} = sides(pair);
			return Math.max(before.length, after.length);
		},
		make(part) {
			const {before, after} = sides(pairs[part]);
			return Array.from({length: Math.max(before.length, after.length)}, (_, index) =>
				joined(
					before[index] ?? emptySide(left),
					after[index] ?? emptySide(right),
					index === 0 ? layout.gutter : (layout.rest ?? layout.gutter),
				),
			);
		},
	};
}

const middle = ' │ ';

type Pair = {readonly old: DiffPart | undefined; readonly fresh: DiffPart | undefined};

/** Returns the lines of the left and the right side. An unchanged line is on both, and a header on the left. */
function pairsOf(parts: readonly DiffPart[]): readonly Pair[] {
	const pairs: Pair[] = [];
	for (let at = 0; at < parts.length;) {
		const removed = runOf(parts, at, 'removed');
		const added = runOf(parts, at + removed, 'added');
		if (removed + added === 0) {
			const part = parts[at];
			pairs.push({old: part, fresh: part?.line.kind === 'same' ? part : undefined});
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

/** One side of a row, exactly as wide as the side. Its spans are made when they are first read. */
type Side = {readonly text: string; readonly spans: readonly Span[]};

function sideRows(part: DiffPart | undefined, digits: number, columns: number, layout: DiffLayout): readonly Side[] {
	if (part === undefined) return [];
	const {line, spans, styled} = part;
	const {rest, goesOn, prepare = unchanged} = layout;
	const lead = (text: string): Span => ({text: `${text.padStart(digits)} `, style: 'dim'});
	const own = {columns, gutter: lead(String(line.number ?? '')), rest: lead(''), goesOn};
	const plain = rest === undefined ? [lineRow(prepare(spans), own)] : lineRows(prepare(spans), own);
	const rows = styled === undefined ? plain : restyledRows(plain, () => inertSpans(prepare(styled())));
	const style = fillStyle(line.kind);
	return rows.map(row => sideOf(row, columns, style));
}

function sideOf(row: Row, columns: number, style: 'added' | 'removed' | undefined): Side {
	const fill = ' '.repeat(Math.max(0, columns - cellsOf(row)));
	const end: Span = style === undefined ? {text: fill} : {text: fill, style: `${style}.fill`};
	return {
		text: plainText(row) + fill,
		get spans() {
			const all = [row.gutter, ...row.spans, row.end].filter(span => span !== undefined);
			return fill === '' ? all : [...all, end];
		},
	};
}

function emptySide(columns: number): Side {
	const text = ' '.repeat(columns);
	return {text, spans: [{text}]};
}

function joined(before: Side, after: Side, gutter: string): Row {
	return lazyRow(
		{gutter: {text: gutter, style: 'dim'}, role: 'text', continued: false},
		before.text + middle + after.text,
		() => [...before.spans, {text: middle, style: 'dim'}, ...after.spans],
	);
}

function unchanged(spans: readonly Span[]): readonly Span[] {
	return spans;
}
