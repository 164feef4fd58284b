import type {Feature} from '../core/feature.ts';
import type {PodParts} from '../core/pod-parts.ts';
import {askTool} from '../tools/talk/ask.ts';
import {tasksTool} from '../tools/talk/ask.ts';
import {tellPlanMode} from '../permissions/plan/plan-mode.ts';
import {planTool} from '../tools/talk/plan.ts';
import {createTools} from '../tools/tools.ts';

/** The questions that the model asks the user. */
export function questionsFeature({session: {user}}: PodParts): Feature {
	return {name: 'questions', tools: [askTool(user)]};
}

/** The model's task list. */
export function tasksFeature(): Feature {
	return {name: 'tasks', tools: [tasksTool()]};
}

/** Plan mode: the tool that presents a plan, and the notices that tell the model about the mode. */
export function planFeature({options: {clock}, session: {user, planMode: mode, history}, send}: PodParts): Feature {
	const notices = tellPlanMode({history, clock, mode});
	return {
		name: 'plan',
		tools: [planTool({...user, mode, clock, setMode: async next => send({method: 'approval', mode: next})})],
		interceptors: {requests: () => notices},
	};
}

/** The tools that search, read and change files. */
export function filesFeature({options, session: {scope, history}}: PodParts): Feature {
	const {limits, env, session} = options;
	return {
		name: 'files',
		tools: createTools({scope, limits, env, sessionDir: session.dir, items: () => history.items}),
	};
}
