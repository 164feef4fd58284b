import {createApprovals} from '../../pod/approval/approvals.ts';
import type {Rules} from '../../pod/approval/decision.ts';
import type {Env} from '../../pod/env/env.ts';
import type {Scope} from '../../pod/scope/scope.ts';
import {openTrustStore} from '../../pod/trust/store.ts';
import {createTrust} from '../../pod/trust/trust.ts';
import {createWorkflows} from '../../pod/workflows/workflows.ts';
import {systemClock} from '../../worker/index.ts';
import type {Fact} from './fact.ts';

export type WorkflowFactsOptions = {
	readonly scope: Pick<Scope, 'pwd' | 'writable' | 'owners'>;
	readonly env: Env;
	/** What both configuration files say. */
	readonly rules: Omit<Rules, 'answered'>;
	readonly narrowedFrom?: string | undefined;
};

/**
The workflows that a session in this directory would have: how many, what is broken, and what the person should know of
the others.
*/
export async function workflowFacts({scope, env, rules, narrowedFrom}: WorkflowFactsOptions): Promise<Fact[]> {
	const {pwd, owners} = scope;
	const {refusesReading} = createApprovals({scope, env, mode: 'ask', rules, narrowedFrom, onTrouble: () => {}});
	const remarks: string[] = [];
	const note = (text: string) => void remarks.push(text);
	const trust = createTrust({store: async () => openTrustStore(env, pwd), acceptPresent: false, onTrouble: note});
	const all = await createWorkflows({
		pwd,
		env,
		owners,
		refusesReading,
		clock: systemClock(),
		trust,
		onWarning: note,
	}).list();
	const broken = all.filter(({error}) => error !== undefined);
	return [
		{about: 'workflows', level: 'ok', text: `${all.length - broken.length} can be invoked`},
		...broken.map(({file, error}): Fact => ({about: 'workflows', level: 'broken', text: `${file}: ${error}`})),
		...remarks.map((text): Fact => ({about: 'workflows', level: 'note', text})),
	];
}
