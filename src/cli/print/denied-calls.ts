import {narrowDetails, toolFactsOf, type Item} from '../../pod/protocol.ts';
import {callDenied, deniedBy, noAnswer} from './texts.ts';

/** A tool call that did not run because a rule denied it or no one could approve it. */
export type DeniedCall = {
	readonly tool: string;
	/** The command or the path of the call. */
	readonly subject?: string;
	readonly by: 'user' | 'rule' | 'unattended';
	/** The rule, or the user's reason. */
	readonly reason?: string;
};

/**
Returns the denied calls among these items. With `only`, it returns the calls that this single item reports as denied. A
refusal by a hook or by a read-only scope is a result, not a denial.
*/
export function deniedCalls(items: readonly Item[], only?: Item): readonly DeniedCall[] {
	return (only === undefined ? items : [only]).flatMap((item): readonly DeniedCall[] => {
		if (item.type !== 'tool_result' || item.details?.['denied'] === undefined) return [];
		const {denied} = narrowDetails(item.details);
		if (denied === undefined || denied.by === 'hook') return [];
		const call = items.findLast(other => other.type === 'tool_call' && other.callId === item.callId);
		return [{tool: call?.type === 'tool_call' ? call.name : '', ...denied, by: denied.by}];
	});
}

/** Returns one line for stderr. */
export function deniedSentence({tool, subject, by, reason}: DeniedCall): string {
	return callDenied(
		tool,
		by === 'unattended' && toolFactsOf(tool)?.asksUser === true ? noAnswer : deniedBy[by](reason),
		subject === undefined || subject === tool ? undefined : short(subject),
	);
}

function short(subject: string): string {
	const characters = Array.from(subject);
	return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters).join('')}…` : subject;
}

const maxCharacters = 80;
