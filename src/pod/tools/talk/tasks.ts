import {en} from '../../../language/index.ts';
import {z} from 'zod';
import {defineTool, type Tool} from '../../../worker/index.ts';
import {taskLimits, taskStates, type Task} from '../../protocol/tasks.ts';
import {tasksFacts} from '../../protocol/tool-definitions.ts';

/**
Creates the tool that keeps the list of tasks. The list is in the call and in its result's details, so the history alone
restores it.
*/
export function tasksTool(): Tool {
	const texts = tasksFacts.arguments;
	return defineTool({
		...tasksFacts,
		input: z.object({
			items: z
				.array(
					z.object({
						text: z.string().min(1).max(taskLimits.text).describe(texts.text),
						state: z.enum(taskStates).describe(texts.state),
					}),
				)
				.max(taskLimits.items)
				.describe(texts.items),
		}),
		execute: async ({items}) => ({
			summary: summaryOf(items),
			content: `The user sees the list: ${summaryOf(items)}.`,
			details: {tasks: items},
		}),
	});
}

function summaryOf(items: readonly Task[]): string {
	if (items.length === 0) return en`no tasks`;
	const done = items.filter(({state}) => state === 'done').length;
	const now = items.find(({state}) => state === 'in_progress');
	if (now === undefined) return en`${done} of ${items.length}`;
	return en`${done} of ${items.length} · now: ${now.text.replaceAll(/\s+/g, ' ')}`;
}
