import type {PermissionInfo, Receipt} from '../../protocol.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import {accepted} from '../status/job.ts';
import {removalTexts, ruleKept} from './texts.ts';

type RemovalOptions = {
	readonly permissions: () => Promise<readonly PermissionInfo[]>;
	/** Removes a rule. Resolves with a sentence when there is no such rule. */
	readonly forget: (id: string) => Promise<string | undefined>;
	/** Absent if no one can answer. */
	readonly asks?: Asks;
	readonly signal: AbortSignal;
};

/**
Creates the method that removes a rule. If the client wants a card, the pod asks first, so every attached terminal shows
the question and can answer it.
*/
export function createRemoval({permissions, forget, asks, signal}: RemovalOptions) {
	return async (id: string, wantsCard: boolean): Promise<Receipt> => {
		const rule = wantsCard && asks !== undefined ? (await permissions()).find(each => each.id === id) : undefined;
		if (rule !== undefined && asks !== undefined && !(await isConfirmed(rule, asks, signal)))
			return {accepted: false, code: 'aborted', sentence: ruleKept};
		const trouble = await forget(id);
		return trouble === undefined ? accepted : {accepted: false, code: 'no_such_rule', sentence: trouble};
	};
}

/** The card shows the whole rule, because its row on a page may be cut. */
async function isConfirmed({action, source, text}: PermissionInfo, asks: Asks, signal: AbortSignal): Promise<boolean> {
	const {title, remove, keep, actions, saved, session} = removalTexts;
	const answer = await asks.ask(
		{
			title,
			detail: `${actions[action]} ${text}\n(${source === 'saved' ? saved : session})`,
			choices: [
				{choice: 'allow', label: remove},
				{choice: 'deny', label: keep, refuses: true},
			],
		},
		signal,
		{first: true},
	);
	return answer?.choice === 'allow';
}
