import type {SessionState, SessionSummary, TextHit} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {cut, pad} from '../../text/width.ts';
import {columnWidths} from '../output/column-widths.ts';
import {age, forkOf, size, stateWords, unfinishedWords} from '../texts.ts';

/** A session with its state. `ended`: no process that others can attach to has the session open. */
export type Listed = SessionSummary & {readonly state: SessionState; readonly hit?: TextHit};

/** `all`: whether the table has directories. `hasStates`: whether it has states. */
type Columns = {readonly all: boolean; readonly hasStates: boolean; readonly now: number};

/**
The data that determines the widths of the columns. A search knows these data of all sessions before it reads a session.
*/
type Measured = Pick<Listed, 'id' | 'changed' | 'bytes' | 'state'>;

/** Returns sessions as a table. Each row ends with a line break. */
export function table(found: readonly Listed[], columns: Columns): string {
	const layout = layoutOf(found, columns);
	const words = found.map(session => summaryOf(session, layout.idLength));
	const widths = columnWidths(
		words.map(word => [word]),
		1,
	);
	return found.map(session => rowOf(session, {...layout, summary: widths[0] ?? 0}, columns)).join('');
}

/** Returns a function that makes rows of these sessions. All rows have the same column widths. */
export function rowMaker(sessions: readonly Measured[], columns: Columns): (session: Listed) => string {
	const layout = layoutOf(sessions, columns);
	return session => rowOf(session, {...layout, summary: maxColumns}, columns);
}

type Layout = {readonly idLength: number; readonly widths: readonly number[]};

function layoutOf(sessions: readonly Measured[], columns: Columns): Layout {
	const idLength = uniqueLength(sessions.map(({id}) => id));
	const rows = sessions.map(session => firstCells(session, idLength, columns));
	return {idLength, widths: columnWidths(rows, columns.hasStates ? 4 : 3)};
}

function firstCells({id, state, changed, bytes}: Measured, idLength: number, columns: Columns): readonly string[] {
	const states = columns.hasStates ? [stateWords[state]] : [];
	return [id.slice(0, idLength), ...states, age(columns.now - Date.parse(changed)), size(bytes)];
}

function rowOf(session: Listed, {idLength, widths, summary}: Layout & {readonly summary: number}, columns: Columns) {
	const cells = firstCells(session, idLength, columns).map((cell, column) => pad(cell, widths[column] ?? 0));
	const words = pad(summaryOf(session, idLength), Math.min(maxColumns, summary));
	const place = columns.all ? cellOf(session.cwd ?? '') : '';
	return `${[...cells, words, place].join('  ').trimEnd()}\n`;
}

function summaryOf({words: first, title, hit, problem, unfinished, ...session}: Listed, idLength: number): string {
	if (problem !== undefined) return sanitizeLine(problem);
	if (hit !== undefined) return cellOf(`${hit.before}${hit.match}${hit.after}`);
	const words = title ?? first;
	const named = session.forkOf === undefined ? words : forkOf(words, session.forkOf.slice(0, idLength));
	return cellOf(unfinished === true ? unfinishedWords(named) : named);
}

function cellOf(text: string): string {
	return cut(sanitizeLine(text), maxColumns, '…');
}

/** Returns the shortest length at which all ids differ. */
function uniqueLength(ids: readonly string[]): number {
	const sorted = ids.toSorted();
	return sorted.reduce((longest, id, at) => {
		const next = sorted[at + 1] ?? '';
		let length = 0;
		while (length < next.length && id[length] === next[length]) length += 1;
		return Math.max(longest, length + 1);
	}, minIdLength);
}

const minIdLength = 8;
const maxColumns = 72;
