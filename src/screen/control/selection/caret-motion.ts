import {graphemesOf, segmentAt} from '../../../text/graphemes.ts';
import {gutterCells, textOf, type Row} from '../../spans/row.ts';
import {unitAt} from '../../spans/stored-text.ts';
import {width} from '../../../text/width.ts';
import type {Place, RowSource} from '../../rows/viewport/viewport.ts';
import {wordAt, type Point} from '../../model/selection/selection.ts';

/** The motions of the caret in the transcript. */
export type CaretMotion = keyof typeof motions;

/** A place of the caret. `goal` is the column to which moves between rows return. */
type CaretPlace = {readonly head: Point; readonly goal: number};

/** Returns the place after a motion, or the same place at the edge. `height` is the number of rows of a page. */
export function moveCaret(source: RowSource, from: CaretPlace, motion: CaretMotion, height: number): CaretPlace {
	const to = motions[motion](source, from, Math.max(1, height - 1));
	return 'head' in to ? to : {head: to, goal: to.cell};
}

/** Returns the point of a row that is nearest to a column. */
export function pointIn(source: RowSource, {index, row}: Place, column: number): Point {
	const found = source.rows(index)[row];
	return {index, row, cell: found === undefined ? 0 : cellAt(found, column)};
}

type Motion = (source: RowSource, from: CaretPlace, page: number) => Point | CaretPlace;

const motions = {
	left: (source, {head}) => before(source, head) ?? head,
	right: (source, {head}) => after(source, head) ?? head,
	up: (source, from) => rowsAway(source, from, -1),
	down: (source, from) => rowsAway(source, from, 1),
	'word left': (source, {head}) => toWord(source, head, before, 'anchor'),
	'word right': (source, {head}) => toWord(source, head, after, 'head'),
	'line start': (source, {head}) => pointIn(source, head, 0),
	'line end': (source, {head}) => atLineEnd(source, head),
	'page up': (source, from, page) => rowsAway(source, from, -page),
	'page down': rowsAway,
	top: source => pointIn(source, {index: 0, row: firstText(source, 0)}, 0),
	bottom: lastPoint,
	'previous message': (source, {head}) => toMessage(source, head, -1),
	'next message': (source, {head}) => toMessage(source, head, 1),
} as const satisfies Readonly<Record<string, Motion>>;

/** The caret stays at the ends of rows while it moves up and down from there. */
function atLineEnd(source: RowSource, head: Point): CaretPlace {
	return {head: pointIn(source, head, Number.POSITIVE_INFINITY), goal: Number.POSITIVE_INFINITY};
}

function rowsAway(source: RowSource, {head, goal}: CaretPlace, rows: number): CaretPlace {
	let place: Place = head;
	for (let left = Math.abs(rows); left > 0; left--) {
		const next = nextRow(source, place, rows < 0 ? -1 : 1);
		if (next === undefined) break;
		place = next;
	}
	return {head: pointIn(source, place, goal), goal};
}

function nextRow(source: RowSource, {index, row}: Place, direction: 1 | -1): Place | undefined {
	const inside = row + direction;
	if (inside >= 0 && inside < source.rows(index).length) return {index, row: inside};
	for (let at = index + direction; at >= 0 && at < source.count(); at += direction) {
		const {length} = source.rows(at);
		if (length > 0) return {index: at, row: direction === 1 ? 0 : length - 1};
	}
	return undefined;
}

function lastPoint(source: RowSource): Point {
	const index = Math.max(0, source.count() - 1);
	const below = {index, row: source.count() === 0 ? 0 : source.rows(index).length};
	return pointIn(source, nextRow(source, below, -1) ?? {index: 0, row: 0}, Number.POSITIVE_INFINITY);
}

function toMessage(source: RowSource, head: Point, direction: 1 | -1): Point {
	const inside = direction === -1 && head.row > firstText(source, head.index) ? head.index : head.index + direction;
	for (let index = inside; index >= 0 && index < source.count(); index += direction)
		if (source.block(index)?.kind === 'user') return pointIn(source, {index, row: firstText(source, index)}, 0);
	return direction === 1 ? lastPoint(source) : motions.top(source);
}

/** Returns the first row of a block below its blank rows. */
function firstText(source: RowSource, index: number): number {
	return Math.max(
		0,
		source.rows(index).findIndex(({role}) => role !== 'blank'),
	);
}

/** Moves to an end of the next word. White space and rows without text are skipped. */
function toWord(source: RowSource, head: Point, step: typeof after, end: 'anchor' | 'head'): Point {
	let at = step(source, head);
	let last = head;
	while (at !== undefined && /^\s*$/.test(characterAt(source, at))) {
		last = at;
		at = step(source, at);
	}
	return at === undefined ? last : (wordAt(source, at)?.[end] ?? at);
}

function after(source: RowSource, {index, row, cell}: Point): Point | undefined {
	const found = source.rows(index)[row];
	const unit = found === undefined ? 0 : unitAt(found, cell, false);
	const next = unit + characterAt(source, {index, row, cell}).length;
	if (found !== undefined && next < textOf(found).length) return {index, row, cell: cellOf(found, next)};
	const below = nextRow(source, {index, row}, 1);
	return below && pointIn(source, below, 0);
}

function before(source: RowSource, {index, row, cell}: Point): Point | undefined {
	const found = source.rows(index)[row];
	if (found !== undefined && unitAt(found, cell, false) > 0) {
		const from = cellOf(found, unitAt(found, cell, false));
		return {index, row, cell: cellAt(found, from - 1)};
	}
	const above = nextRow(source, {index, row}, -1);
	return above && pointIn(source, above, Number.POSITIVE_INFINITY);
}

/** Returns the character at a point. It is empty in a row without text. */
function characterAt(source: RowSource, {index, row, cell}: Point): string {
	const found = source.rows(index)[row];
	if (found === undefined) return '';
	const unit = unitAt(found, cell, false);
	const text = textOf(found).slice(unit, unit + longest);
	return text === '' ? '' : segmentAt(graphemesOf(text), 0).segment;
}

/** The maximum number of code units of a character. */
const longest = 64;

/** Returns the first cell of the character that is nearest to a column of the screen. */
function cellAt(row: Row, column: number): number {
	const text = textOf(row);
	const unit = Math.min(unitAt(row, column, false), Math.max(0, text.length - 1));
	return text === '' ? gutterCells(row) : cellOf(row, segmentAt(graphemesOf(text), unit).index);
}

function cellOf(row: Row, unit: number): number {
	return gutterCells(row) + width(textOf(row).slice(0, unit));
}
