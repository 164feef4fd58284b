import type {Feature} from '../core/feature.ts';
import {tasksTool} from '../tools/talk/tasks.ts';

/** The list of tasks that the model keeps. */
export function tasksFeature(): Feature {
	return {name: 'tasks', tools: [tasksTool()]};
}
