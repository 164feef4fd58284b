import type {Method, MethodName, Receipt, PermissionInfo} from '../../protocol.ts';
import {internalError, receiptOf, accepted} from '../status/job.ts';
import {refusalTexts, type StateRefusal, removalTexts, ruleKept} from './texts.ts';
import type {Asks} from '../../permissions/approval/asks.ts';

export type MethodOf<Name extends MethodName> = Extract<Method, {method: Name}>;

/** A handler for each method. */
export type Methods = {readonly [Name in MethodName]: (method: MethodOf<Name>) => Promise<Receipt>};

/** Calls the handler of a method. */
export async function dispatch(methods: Methods, method: Method): Promise<Receipt> {
	return call(methods, method.method, method);
}

export function refuse(code: StateRefusal, sentence = refusalTexts[code]): Receipt {
	return {accepted: false, code, sentence};
}

/** Turns a rejection into a receipt, so that every method gets an answer even after a bug. */
export async function orInternalError(receipt: Promise<Receipt>): Promise<Receipt> {
	return receipt.catch(error => receiptOf(internalError(error)));
}

/**
Creates the method that removes a rule. If the client wants a card, the pod asks first. Every attached terminal shows
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

type MethodByName = {readonly [Name in MethodName]: MethodOf<Name>};

/**
Calls one handler. The function is generic, so that the compiler knows that the handler and the method have the same
name.
*/
async function call<Name extends MethodName>(
	methods: {readonly [Each in Name]: (method: MethodByName[Each]) => Promise<Receipt>},
	name: Name,
	method: MethodByName[Name],
): Promise<Receipt> {
	return methods[name](method);
}

type RemovalOptions = {
	readonly permissions: () => Promise<readonly PermissionInfo[]>;
	/** Removes a rule. Resolves with a sentence if there is no such rule. */
	readonly forget: (id: string) => Promise<string | undefined>;
	/** Absent if no user can answer. */
	readonly asks?: Asks;
	readonly signal: AbortSignal;
};

/** Asks the user to confirm. The card shows the whole rule, because the rule's row on a page may be cut. */
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
