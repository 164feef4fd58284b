import type {Feature} from '../core/feature.ts';
import type {PodParts} from '../core/pod-parts.ts';
import {tellPlanMode} from '../permissions/plan/plan-mode.ts';
import {planTool} from '../tools/talk/plan.ts';

/** Plan mode: the tool that presents a plan, and what tells the model about the mode. */
export function planFeature({options: {clock}, session: {user, planMode: mode, history}, send}: PodParts): Feature {
	const notices = tellPlanMode({history, clock, mode});
	return {
		name: 'plan',
		tools: [planTool({...user, mode, clock, setMode: async next => send({method: 'approval', mode: next})})],
		interceptors: {requests: () => notices},
	};
}
