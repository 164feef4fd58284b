import {en} from '../../../language/index.ts';
import {HistoryError, stamp, type Clock, type History, type Item} from '../../../worker/index.ts';
import {unansweredCalls} from '../../ground/history/reader.ts';
import type {Refusal} from '../../protocol.ts';
import {contextTexts, type ContextOp} from './texts.ts';

type ContextChanged = {readonly ok: true} | {readonly ok: false; readonly code: Refusal; readonly sentence: string};

/**
Commits an item that drops, pins, prunes or restores items (docs/context.md). It does not edit history. A call that is
dropped before its result is closed in the same append, and no longer runs. If the operation does not apply to one of
the ids, it is refused for all of them.
*/
export async function changeContext(
	history: History,
	clock: Clock,
	{op, ids}: {readonly op: ContextOp; readonly ids: readonly string[]},
): Promise<ContextChanged> {
	const wanted = [...new Set(ids)];
	if (wanted.length === 0) return {ok: false, code: 'empty', sentence: contextTexts.noItems};
	const found = new Map(history.items.map(item => [item.id, item.type]));
	const wrong = wanted.find(id => !allowedTypes[op].has(found.get(id) ?? 'none'));
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

const droppedCall = en`[Dropped from the context before it ran]`;

const sent: ReadonlySet<string> = new Set<Item['type']>(['message', 'tool_call', 'tool_result']);

/** The item types that each operation accepts. `restore` can also undo a compaction, a rewind or a context change. */
const allowedTypes: Readonly<Record<ContextOp, ReadonlySet<string>>> = {
	drop: sent,
	pin: sent,
	prune: new Set(['tool_result']),
	restore: new Set([...sent, 'compaction', 'rewind', 'context']),
};

function sentenceOf(op: ContextOp, id: string, type: Item['type'] | undefined): string {
	if (type === undefined) return contextTexts.noSuchItem(id);
	if (type === 'reasoning') return contextTexts.reasoning;
	return contextTexts.wrongType(op, type);
}
