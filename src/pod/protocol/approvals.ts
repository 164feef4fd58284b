import {z} from 'zod';
import type {Item, ToolCall, ToolResult} from '../../worker/index.ts';
import {approvalModes} from './approval-mode.ts';
import type {Immutable} from './immutable.ts';
import {namedCall} from './named-call.ts';
import {narrowDetails, type ToolDetails} from './tool-details.ts';
import {toolFactsOf} from './tool-definitions.ts';

/** What decided about a call, with the call itself. All texts are untrusted. */
export type Approval = Immutable<z.infer<typeof approvalSchema>>;
export const approvalSchema = z.object({
	/** The id of the call's item, or of its result if the call is not in the history. */
	item: z.string(),
	callId: z.string(),
	tool: z.string(),
	/** The command, the path or the address of the call. For other tools, its arguments. */
	subject: z.string(),
	/** The time of the decision (ISO). */
	at: z.string(),
	/** `unattended`: nobody could approve. */
	by: z.enum(['user', 'rule', 'mode', 'hook', 'unattended']),
	allowed: z.boolean(),
	/** The choice on the card, such as `allow` or `always`. For a plan, its outcome. */
	choice: z.string().optional(),
	/** The user's own words, or the reason of a hook. */
	reason: z.string().optional(),
	/** Where the user answered: `attached`, `editor` or `program`. Absent for the terminal of the session. */
	from: z.string().optional(),
	rule: z.string().optional(),
	/** Where the rule is. `answered`: the user allowed such calls on an earlier card. */
	source: z.enum(['user', 'project', 'answered']).optional(),
	mode: z.enum(approvalModes).optional(),
	/** The diff or the subject that the card showed. Only a decision of the user has it. */
	shown: z.string().optional(),
});

/** Finds the approvals in a history, item by item. */
export type ApprovalReader = {
	/** Returns what decided about the call that ends with this item. */
	add(item: Item): readonly Approval[];
};

export function createApprovalReader(): ApprovalReader {
	const calls = new Map<string, ToolCall>();
	return {
		add(item) {
			if (item.type === 'tool_call') calls.set(item.callId, item);
			if (item.type !== 'tool_result') return [];
			const call = calls.get(item.callId);
			if (item.partialOf === undefined) calls.delete(item.callId);
			return approvalsOf(item, call);
		},
	};
}

/** Returns all approvals of a session, the latest first. `maxShown` is the maximum length of what a card showed. */
export function approvalsIn(items: readonly Item[], maxShown = Number.POSITIVE_INFINITY): readonly Approval[] {
	const reader = createApprovalReader();
	return (
		items
			.flatMap(item => reader.add(item))
			.toReversed()
			// Of calls that ran together, the first result need not belong to the first decision.
			.toSorted((one, other) => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1))
			.map(approval => {
				const {shown = ''} = approval;
				return shown.length <= maxShown ? approval : {...approval, shown: `${shown.slice(0, maxShown)}…`};
			})
	);
}

function approvalsOf({id, at, callId, details}: ToolResult, call: ToolCall | undefined): readonly Approval[] {
	if (details === undefined || !keys.some(key => Object.hasOwn(details, key))) return [];
	const narrow = narrowDetails(details);
	const {name: tool, arguments: written} = call === undefined ? {name: '', arguments: ''} : namedCall(call);
	const subject = narrow.denied?.subject ?? subjectOf(tool, written);
	const about = {item: call?.id ?? id, callId, tool, subject};
	return decisionsIn(narrow, at).map(decision => {
		const shown = narrow.diff ?? subject;
		return {...about, ...decision, ...(decision.by === 'user' && {shown})};
	});
}

/** The details that say who decided about a call. */
const keys = ['approvals', 'denied', 'plan'] as const;

type DecisionNote = Omit<Approval, 'item' | 'callId' | 'tool' | 'subject'>;

/** Returns the decisions in a result. Results of early versions say only who denied a call. */
function decisionsIn({approvals = [], denied, plan}: ToolDetails, at: string): readonly DecisionNote[] {
	const isNoted = approvals.some(({allowed}) => !allowed);
	return [
		...approvals,
		...(denied === undefined || isNoted ? [] : [denialOf(denied, at)]),
		...(plan === undefined || plan.outcome === 'unattended' ? [] : [planDecision(plan, at)]),
	];
}

function denialOf({by, reason}: NonNullable<ToolDetails['denied']>, at: string): DecisionNote {
	return {at, by, allowed: false, ...(by === 'rule' ? {rule: reason} : {reason})};
}

function planDecision({outcome, mode, reason}: NonNullable<ToolDetails['plan']>, at: string): DecisionNote {
	return {at, by: 'user', allowed: outcome === 'accepted', choice: outcome, mode, reason};
}

function subjectOf(tool: string, written: string): string {
	const argument = toolFactsOf(tool)?.subject.argument;
	const value = argument === undefined ? undefined : argumentsOf(written)[argument];
	return typeof value === 'string' ? value : written;
}

function argumentsOf(written: string): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(written);
		return typeof value === 'object' && value !== null ? {...value} : {};
	} catch {
		return {};
	}
}
