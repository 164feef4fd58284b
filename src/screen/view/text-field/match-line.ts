import {patternOf} from '../../model/search/search-state.ts';
import type {Span} from '../../../text/span.ts';
import {graphemesOf, width} from '../../../text/width.ts';

/** Returns a pattern that matches any of these texts in any case, to mark them in a line. */
export function anyOf(texts: readonly string[]): RegExp | undefined {
	const sources = texts.flatMap(text => patternOf(text.toLowerCase())?.source ?? []);
	return sources.length === 0 ? undefined : new RegExp(sources.join('|'), 'giu');
}

/** Cuts off the beginning of a line if its first match would otherwise not be visible. */
export function aroundMatch(line: string, pattern: RegExp | undefined, room: number): string {
	const at = pattern === undefined ? -1 : line.search(pattern);
	const context = Math.min(contextCells, Math.floor(room / 3));
	if (at < 0 || width(line.slice(0, at)) < room - contextCells) return line;
	return `…${lastCells(line.slice(0, at), context)}${line.slice(at)}`;
}

/** Returns the spans of a line in which each match is marked. `isChosen`: the row is selected. */
export function markMatches(line: string, pattern: RegExp | undefined, isChosen: boolean): readonly Span[] {
	const plain = isChosen ? ({style: 'selection'} as const) : {};
	const found = isChosen ? (['selection', 'bold'] as const) : 'match';
	const spans: Span[] = [];
	let end = 0;
	for (const {0: match, index} of pattern === undefined ? [] : line.matchAll(pattern)) {
		if (match === '') continue;
		if (index > end) spans.push({text: line.slice(end, index), ...plain});
		spans.push({text: match, style: found});
		end = index + match.length;
	}
	if (end < line.length) spans.push({text: line.slice(end), ...plain});
	return spans;
}

/** Returns the longest end of a text that fits into this number of cells. */
function lastCells(text: string, cells: number): string {
	let end = '';
	for (const {segment} of Array.from(graphemesOf(text.slice(-maxRead).toWellFormed())).toReversed()) {
		if (width(segment + end) > cells) break;
		end = segment + end;
	}
	return end;
}

/** The number of cells before a match that stay visible, if there is room. */
const contextCells = 20;

/** The maximum number of code units before a match that are read. */
const maxRead = 200;
