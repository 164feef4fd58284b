import {narrowDetails, type Task, type ToolResult} from '../../../../pod/protocol.ts';
import type {FoldState, Step} from '../fold-state.ts';

/** Records that the block's result has a list of tasks. */
export function listTasks({state, open, journal}: Step, index: number, {details}: ToolResult): void {
	if (open || details?.['tasks'] === undefined) return;
	state.taskLists.push(index);
	journal?.push(() => state.taskLists.pop());
}

/** Returns the latest list of tasks that no rewind removed. Only the transcript determines it. */
export function tasksIn({taskLists, blocks}: Pick<FoldState, 'taskLists' | 'blocks'>): readonly Task[] {
	for (const index of taskLists.toReversed()) {
		const block = blocks[index];
		if (block?.kind === 'tool' && block.rewound !== true && block.result !== undefined)
			return tasksOf(block.result);
	}
	return none;
}

const none: readonly Task[] = [];

/** The list is checked once for each result. */
function tasksOf(result: ToolResult): readonly Task[] {
	const known = checked.get(result);
	if (known !== undefined) return known;
	const tasks = result.details === undefined ? none : (narrowDetails(result.details).tasks ?? none);
	checked.set(result, tasks);
	return tasks;
}

const checked = new WeakMap<ToolResult, readonly Task[]>();
