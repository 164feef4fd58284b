import type {Clock, Item} from '../../../worker/index.ts';
import {copySummaries} from '../conversations/copy-summaries.ts';
import {createSession} from '../log/create.ts';
import type {Files} from '../files.ts';
import {compactionsDir, historyFile, idOf, sideDir} from '../paths.ts';
import {rawLines} from '../log/raw-lines.ts';
import {isOfOther, linkedCompactions, refusingLinks, summaryIds} from '../conversations/summary-conversations.ts';
import {intactCopy} from './intact-copy.ts';
import {repairTexts, sideTexts} from '../texts.ts';
import {verifySummaries, type SummariesVerdict} from './verify-summaries.ts';

/** How a repair treats the conversations of compactions. The lists contain the ids of the conversations. */
export type SummaryPlan = {
	/** Whether there is nothing to repair. */
	readonly areSound: boolean;
	readonly copied: readonly string[];
	readonly repaired: readonly string[];
	/** The compactions that name a conversation which is missing, unreadable or another one. It is not copied. */
	readonly unlinked: ReadonlySet<string>;
	/** The number of items that each compaction names. */
	readonly named: ReadonlyMap<string, number>;
};

export async function planSummaries(dir: string, items: readonly Item[], files: Files): Promise<SummaryPlan> {
	const verdict = await verifySummaries({dir, items}, files);
	const named = new Map(linkedCompactions(items).map(({id, conversation}) => [id, conversation.items]));
	if (verdict.ok)
		return {areSound: true, copied: await summaryIds(dir, files), repaired: [], unlinked: new Set(), named};
	const readable = verdict.sessions.map(session => idOf(session.dir));
	const others = new Set(verdict.sessions.filter(isOfOther).map(session => idOf(session.dir)));
	const isOther = (id: string) => others.has(id) || failuresOf(verdict, dir, id).includes(sideTexts.different);
	const isDamaged = (id: string) => failuresOf(verdict, dir, id).length > 0;
	const kept = readable.filter(id => !isOther(id));
	return {
		areSound: false,
		copied: kept.filter(id => !isDamaged(id)),
		repaired: kept.filter(isDamaged),
		unlinked: new Set([...named.keys(), ...others].filter(id => !kept.includes(id))),
		named,
	};
}

/** Takes the link to its conversation from each of these compactions. */
export function withoutLinks(items: readonly Item[], unlinked: ReadonlySet<string>): readonly Item[] {
	return items.map(item => {
		if (item.type !== 'compaction' || !unlinked.has(item.id)) return item;
		const {conversation: _, ...rest} = item;
		return rest;
	});
}

type Places = {readonly from: string; readonly to: string; readonly cwd: string};

/** Makes the copies of a plan. Returns sentences about what differs from the damaged session. */
export async function repairSummaries(
	{copied, repaired, unlinked, named}: SummaryPlan,
	{from, to, cwd}: Places,
	clock: Clock,
	files: Files,
): Promise<readonly string[]> {
	const failed = await copySummaries(from, to, copied, files);
	const changes: string[] = [];
	for (const id of repaired)
		changes.push(...(await repairSide(id, {from, to, cwd, named: named.get(id)}, clock, files)));
	return [...changes, ...[...unlinked, ...failed].map(repairTexts.withoutConversation)];
}

async function repairSide(
	id: string,
	{from, to, cwd, named}: Places & {readonly named: number | undefined},
	clock: Clock,
	files: Files,
): Promise<readonly string[]> {
	const read = await rawLines(sideDir(from, id), refusingLinks(files), clock);
	if (!read.ok) return [read.sentence];
	const {items, changes} = intactCopy(read, id, clock);
	const last = items.at(-1);
	if (last === undefined) return [repairTexts.emptyConversation(id)];
	const at = {root: '', project: compactionsDir(to), cwd, id, fork: {session: id, to: last.id}};
	const side = createSession(at, clock, files);
	await side.log.write(items);
	await side.close();
	const kept = named === undefined || named === items.length ? [] : [repairTexts.keptItems(items.length, named)];
	return [...changes, ...kept].map(sentence => repairTexts.inConversation(id, sentence));
}

function failuresOf({findings}: SummariesVerdict, dir: string, id: string): readonly string[] {
	const path = historyFile(sideDir(dir, id));
	return findings.flatMap(found => (found.path === path && found.level === 'failure' ? [found.sentence] : []));
}
