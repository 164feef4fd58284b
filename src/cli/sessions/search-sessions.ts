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
import {cut, pad} from '../../text/width.ts';

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
Writes each session that contains a text as soon as it is found. It reads the start of a session only for a match, so
the first result does not wait for a list of all sessions.
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
	const words = found.map(session => summaryOf(session, layout.idLength));
	const widths = columnWidths(
		words.map(word => [word]),
		1,
	);
	return found.map(session => rowOf(session, {...layout, summary: widths[0] ?? 0}, columns)).join('');
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
The data that determines the widths of the columns. A search knows these data of all sessions before it reads a session.
*/
type Measured = Pick<Listed, 'id' | 'changed' | 'bytes' | 'state'>;

/** Returns a function that makes rows of these sessions. All rows have the same column widths. */
function rowMaker(sessions: readonly Measured[], columns: Columns): (session: Listed) => string {
	const layout = layoutOf(sessions, columns);
	return session => rowOf(session, {...layout, summary: maxColumns}, columns);
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

function stateOf(id: string, live: LiveSessions): SessionState {
	const open = live.get(id);
	return open === undefined ? 'ended' : (open.state ?? 'idle');
}

function rank(state: SessionState): number {
	return sessionStates.indexOf(state);
}
