import {
	findText,
	readSummary,
	type FoundSession,
	type SessionState,
	type SessionSummary,
	type TextHit,
	sessionStates,
	type LiveSession,
} from '../../pod/index.ts';
import {columnWidths} from '../output/output.ts';
import {inertJson} from '../output/output.ts';
import {type Output} from '../output/output.ts';
import {noHits, age, forkOf, size, stateWords, unfinishedWords} from '../texts.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {cut, pad, width} from '../../text/width.ts';
import {sessionDifferences, sessionName} from '../../pod/protocol.ts';

export type SearchOutput = {
	readonly json: boolean;
	/** Whether to search the sessions of all projects. */
	readonly all: boolean;
	/** Whether sessions that need an answer come first. */
	readonly needs: boolean;
	readonly now: number;
	readonly live: Promise<LiveSessions>;
	readonly stdout: Output;
};

/**
Writes each session that contains the searched text as soon as it is found. The start of a session is read only for a
match, so the first result does not wait for a list of all sessions.
*/
export async function searchSessions(
	text: string,
	sessions: Promise<readonly FoundSession[]>,
	{json, all, needs, now, live, stdout}: SearchOutput,
): Promise<void> {
	const sorted = inOrder(...(await Promise.all([sessions, live])), needs);
	const row = rowMaker(sorted, {all, hasStates: needs || sorted.some(isOpen), now});
	const {signal} = new AbortController();
	let hits = 0;
	for (const {state, ...session} of sorted) {
		const hit = await findText(session.dir, text, signal);
		const summary = hit === undefined ? undefined : await readSummary(session.dir).catch(() => undefined);
		if (hit === undefined || summary === undefined || summary.problem !== undefined) continue;
		const found = {...summary, state, hit};
		stdout.write(json ? element(found, hits === 0) : row(found));
		hits++;
	}
	if (json) stdout.write(hits === 0 ? '[]\n' : '\n]\n');
	else if (hits === 0) stdout.write(`${noHits}\n`);
}

/** Returns sessions as a table. Each row ends with a line break. */
export function table(found: readonly Listed[], columns: Columns): string {
	const layout = layoutOf(found, columns);
	const differences = sessionDifferences(found);
	const words = found.map(session => summaryOf(session, layout.idLength, differences.get(session.dir)));
	const widths = columnWidths(
		words.map(word => [word]),
		1,
	);
	const summary = widths[0] ?? 0;
	return found.map((session, at) => rowOf(session, words[at] ?? '', {...layout, summary}, columns)).join('');
}

/**
Returns sessions with their states. With `needs`, sessions that need an answer come first, then other open sessions.
*/
export function inOrder<Session extends {readonly id: string}>(
	sessions: readonly Session[],
	live: LiveSessions,
	needs: boolean,
): ReadonlyArray<Session & {readonly state: SessionState}> {
	const states = sessions.map(session => ({...session, state: stateOf(session.id, live)}));
	return needs ? states.toSorted((one, other) => rank(one.state) - rank(other.state)) : states;
}

export function isOpen({state}: {readonly state: SessionState}): boolean {
	return state !== 'ended';
}

/** Returns an element of a JSON array, with the bracket or comma before it. */
function element(session: Listed, isFirst: boolean): string {
	const lines = inertJson(session, 2).split('\n');
	return `${isFirst ? '[' : ','}\n${lines.map(line => `  ${line}`).join('\n')}`;
}

/** A session with its state. `ended`: no process that others can attach to has the session open. */
type Listed = SessionSummary & {readonly state: SessionState; readonly hit?: TextHit};

/** `all`: whether the table has directories. `hasStates`: whether it has states. */
type Columns = {readonly all: boolean; readonly hasStates: boolean; readonly now: number};

/**
The data that determines the widths of the columns. A search has this data for all sessions before it reads the first
session.
*/
type Measured = Pick<Listed, 'id' | 'changed' | 'bytes' | 'state'>;

/** Returns a function that makes rows of these sessions. All rows have the same column widths. */
function rowMaker(sessions: readonly Measured[], columns: Columns): (session: Listed) => string {
	const layout = layoutOf(sessions, columns);
	const summary = maxColumns;
	return session => rowOf(session, summaryOf(session, layout.idLength), {...layout, summary}, columns);
}

/** The sessions that processes have open, by their ids. */
type LiveSessions = ReadonlyMap<string, LiveSession>;

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

type RowLayout = Layout & {readonly summary: number};

function rowOf(session: Listed, words: string, {idLength, widths, summary}: RowLayout, columns: Columns): string {
	const cells = firstCells(session, idLength, columns).map((cell, column) => pad(cell, widths[column] ?? 0));
	const place = columns.all ? cellOf(session.cwd ?? '') : '';
	return `${[...cells, pad(words, Math.min(maxColumns, summary)), place].join('  ').trimEnd()}\n`;
}

function summaryOf(session: Listed, idLength: number, difference?: string): string {
	const {hit, problem, unfinished} = session;
	if (problem !== undefined) return sanitizeLine(problem);
	if (hit !== undefined) return cellOf(`${hit.before}${hit.match}${hit.after}`);
	const words = sessionName(session);
	const named = session.forkOf === undefined ? words : forkOf(words, session.forkOf.slice(0, idLength));
	const whole = unfinished === true ? unfinishedWords(named) : named;
	return difference === undefined ? cellOf(whole) : withDifference(whole, difference);
}

/**
Returns a name and what distinguishes it from an equal name. A long name is cut, but it gets at least half of the cells.
*/
function withDifference(name: string, difference: string): string {
	const [shown, rest] = [sanitizeLine(name), ` · ${sanitizeLine(difference)}`];
	const room = Math.max(maxColumns - width(rest), Math.ceil(maxColumns / 2));
	return cut(cut(shown, room, '…') + rest, maxColumns, '…');
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

function stateOf(id: string, live: LiveSessions): SessionState {
	const open = live.get(id);
	return open === undefined ? 'ended' : (open.state ?? 'idle');
}

function rank(state: SessionState): number {
	return sessionStates.indexOf(state);
}
