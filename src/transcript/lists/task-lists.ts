import {narrowDetails, type ToolResult} from '../../pod/protocol.ts';
import type {Step} from '../fold-state.ts';

/** Records the list of tasks in the result of a block, if the result contains one. */
export function listTasks({state, open, journal}: Step, block: number, {details}: ToolResult): void {
	if (open || details?.['tasks'] === undefined) return;
	const {tasks} = narrowDetails(details);
	if (tasks === undefined) return;
	state.taskLists.push({block, tasks});
	journal?.push(() => state.taskLists.pop());
}
