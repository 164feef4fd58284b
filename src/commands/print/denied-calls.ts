import {narrowDetails, type Item} from '../../pod/protocol.ts';

/** A tool call that was not run because a rule denied it or nobody could approve it. */
export type DeniedCall = {
	readonly tool: string;
	/** The command or path that it was about. */
	readonly subject?: string;
	readonly by: 'user' | 'rule' | 'unattended';
	/** The rule, or what the user said. */
	readonly reason?: string;
};

/**
The calls among these items that were denied; `only`: as far as this item says so.
What a hook refuses or a read-only scope answers is a result.
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

/** What stderr says of a denied call, on one line. */
export function deniedSentence({tool, subject, by, reason}: DeniedCall): string {
	const characters = Array.from(subject ?? '');
	const shown = characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : subject;
	return `${tool} denied (${deniers[by](reason)})${subject === undefined || subject === tool ? '' : `: ${shown}`}`;
}

const deniers: {readonly [By in DeniedCall['by']]: (reason: string | undefined) => string} = {
	user: reason => (reason === undefined ? 'by the user' : `by the user: ${reason}`),
	rule: reason => (reason === undefined ? 'by a rule' : `by the rule ${reason}`),
	unattended: () => 'no one to approve in print mode; use --approval or a rule',
};
