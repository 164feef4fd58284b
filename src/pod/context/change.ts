import {HistoryError, stamp, type Clock, type History, type Item, type ItemOf} from '../../worker/index.ts';
import {unansweredCalls} from '../history/reader.ts';
import type {Refusal} from '../protocol.ts';

export type ContextOp = ItemOf<'context'>['op'];
export type Changed = {readonly ok: true} | {readonly ok: false; readonly code: Refusal; readonly sentence: string};

/**
Commits that items are dropped, pinned or restored (docs/context.md); nothing is edited. A call that is dropped before
it has its result is closed in the same append: it is not run any more. Ids that name nothing to which this can be done
are refused, all of them.
*/
export async function changeContext(
	history: History,
	clock: Clock,
	{op, ids}: {readonly op: ContextOp; readonly ids: readonly string[]},
): Promise<Changed> {
	const wanted = [...new Set(ids)];
	if (wanted.length === 0) return {ok: false, code: 'empty', sentence: 'No item is named.'};
	const found = new Map(history.items.map(item => [item.id, item.type]));
	const wrong = wanted.find(id => !fits[op].has(found.get(id) ?? 'none'));
	if (wrong !== undefined)
		return {ok: false, code: 'no_such_item', sentence: sentenceOf(op, wrong, found.get(wrong))};
	const closed =
		op === 'drop'
			? unansweredCalls(history.items)
					.filter(({id}) => wanted.includes(id))
					.map(({callId}) =>
						stamp(clock, {
							type: 'tool_result',
							callId,
							summary: droppedCall,
							content: droppedCall,
							isError: false,
							ms: 0,
						}),
					)
			: [];
	try {
		await history.append([...closed, stamp(clock, {type: 'context', op, ids: wanted})]);
		return {ok: true};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, code: 'io', sentence: error.message};
		throw error;
	}
}

const droppedCall = '[Dropped from the context before it ran]';

const sent: ReadonlySet<string> = new Set<Item['type']>(['message', 'tool_call', 'tool_result']);

/** What can be done to what. A restore undoes an act of these, too. */
const fits: Readonly<Record<ContextOp, ReadonlySet<string>>> = {
	drop: sent,
	pin: sent,
	restore: new Set([...sent, 'compaction', 'rewind', 'context']),
};

function sentenceOf(op: ContextOp, id: string, type: Item['type'] | undefined): string {
	if (type === undefined) return `This session has no item ${id.slice(0, 40)}.`;
	if (type === 'reasoning') return 'A thought stays or goes with what it led to.';
	return `An item of the type ${type} cannot be ${{drop: 'dropped', pin: 'pinned', restore: 'restored'}[op]}.`;
}
