import {partialResults, stamp, stoppedSummary, type Clock, type Item, type ItemOf} from '../../../worker/index.ts';
import {unansweredCalls} from '../../ground/history/reader.ts';
import type {ToolDetails} from '../../protocol.ts';
import {worktreeTexts} from '../worktree/texts.ts';
import {readChild, type ParentSession, type StoredChild} from './child-session.ts';
import type {ChildSpec} from './child-session.ts';
import {progressOf, type Progress} from './progress.ts';

type LostChildren = {
	readonly parent: ParentSession;
	readonly clock: Clock;
	/** The children in history that have no `child_ended` item and do not work. */
	readonly unfinished: readonly ChildSpec[];
};

/**
Returns the items that end the unfinished children. Their process has died, or their parent continues without them. If
the call of a child has no result, the result is made from the child's history. This result contains the final answer if
the child has finished, and otherwise the last text of the child as the output of a stopped call.
*/
export async function lostChildren(
	items: readonly Item[],
	{parent, clock, unfinished}: LostChildren,
): Promise<readonly Item[]> {
	if (unfinished.length === 0) return [];
	const calls = new Map(unansweredCalls(items).map(call => [call.id, call]));
	const partials = partialResults(items);
	const found: Item[] = [];
	for (const spec of unfinished) {
		const stored = await readChild(parent, spec.child);
		const progress = progressOf(stored?.items ?? []);
		const outcome = outcomeOf(progress);
		const call = calls.get(spec.call ?? '');
		if (call !== undefined && (outcome === 'finished' || !partials.has(call.id)))
			found.push(resultOf(call, spec, progress, clock));
		found.push(endOf(spec, progress, stored?.head, clock));
	}
	return found;
}

function outcomeOf(progress: Progress): 'finished' | 'interrupted' {
	return progress.end()?.outcome === 'finished' ? 'finished' : 'interrupted';
}

function resultOf(
	{id, callId}: ItemOf<'tool_call'>,
	{child, worktree}: ChildSpec,
	progress: Progress,
	clock: Clock,
): Item {
	const outcome = outcomeOf(progress);
	const details: ToolDetails = {child: {id: child, outcome}};
	const isFinished = outcome === 'finished';
	return stamp(clock, {
		type: 'tool_result',
		callId,
		summary: isFinished ? outcome : stoppedSummary,
		content:
			worktree === undefined ? progress.text() : `${progress.text()}\n\n${worktreeTexts.kept(worktree.path)}`,
		isError: false,
		ms: 0,
		details,
		...(!isFinished && {partialOf: id}),
	});
}

function endOf({child}: ChildSpec, progress: Progress, head: StoredChild['head'] | undefined, clock: Clock): Item {
	return stamp(clock, {
		type: 'child_ended',
		child,
		outcome: outcomeOf(progress),
		head,
		requests: progress.requests().filter(({type}) => type === 'request').length,
		usage: progress.usage(),
		ms: 0,
	});
}
