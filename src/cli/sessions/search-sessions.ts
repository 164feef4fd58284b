import {findText, readSummary, type FoundSession} from '../../pod/index.ts';
import {inertJson} from '../output/inert-json.ts';
import type {Output} from '../output/output.ts';
import {noHits} from '../texts.ts';
import {inOrder, isOpen, type LiveSessions} from './states.ts';
import {rowMaker, type Listed} from './table.ts';

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

/** Returns an element of a JSON array, with the bracket or comma before it. */
function element(session: Listed, isFirst: boolean): string {
	const lines = inertJson(session, 2).split('\n');
	return `${isFirst ? '[' : ','}\n${lines.map(line => `  ${line}`).join('\n')}`;
}
