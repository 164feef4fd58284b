import {isoTime, type Clock, type ToolCall, type ToolResult} from '../../../worker/index.ts';
import type {Ask} from '../../protocol.ts';
import type {ApprovalMode} from '../../protocol/approval-mode.ts';
import type {ApprovalNote} from '../../protocol/tool-details.ts';
import type {Answer, Asks} from './asks.ts';
import {patternText} from './command-starts.ts';
import type {Decision} from './decision.ts';
import type {Rule} from './rule.ts';

/** Remembers what decided about each call until the call's result is committed. */
export type ApprovalNotes = {
	/** Notes that a rule or the mode lets a call run. `callId` is the id that the model gave to the call. */
	allowed(callId: string, decision: Decision, mode: ApprovalMode): void;
	/** Returns the same questions. Notes each answer on a card about a call of this session. */
	observe(asks: Asks): Asks;
	/** Returns the notes about a call as details of its result, and forgets them. */
	readonly take: (call: ToolCall) => ToolResult['details'];
};

export function createApprovalNotes(clock: Pick<Clock, 'now'>): ApprovalNotes {
	const notes = new Map<string, readonly ApprovalNote[]>();
	const add = (callId: string, note: Omit<ApprovalNote, 'at'>) => {
		notes.set(callId, [...(notes.get(callId) ?? []), {at: isoTime(clock.now()), ...note}]);
	};
	return {
		allowed(callId, decision, mode) {
			const note = noteOf(decision, mode);
			if (note !== undefined) add(callId, note);
		},
		observe: asks => ({
			...asks,
			async ask(question, signal, how) {
				const answer = await asks.ask(question, signal, how);
				// The session of a child notes the answers about the child's calls.
				const {callId, child, questions} = question;
				if (answer !== undefined && callId !== undefined && child === undefined && questions === undefined)
					add(callId, answerNote(question, answer));
				return answer;
			},
		}),
		take({callId}) {
			const approvals = notes.get(callId);
			notes.delete(callId);
			return approvals && {approvals};
		},
	};
}

function noteOf(decision: Decision, mode: ApprovalMode): Omit<ApprovalNote, 'at'> | undefined {
	if (decision.type !== 'run') return undefined;
	const {reason, rule, owner} = decision;
	if (reason === 'mode') return {by: 'mode', allowed: true, mode};
	if (reason !== 'rule' && reason !== 'answered') return undefined;
	const source = reason === 'answered' ? 'answered' : owner;
	return {by: 'rule', allowed: true, ...(rule && {rule: textOf(rule)}), ...(source && {source})};
}

function answerNote({choices}: Omit<Ask, 'id'>, {choice, reason = '', from}: Answer): Omit<ApprovalNote, 'at'> {
	const isRefused = choices.some(each => each.choice === choice && each.refuses === true);
	return {
		by: 'user',
		allowed: !isRefused,
		choice,
		...(reason !== '' && {reason}),
		...(from !== undefined && {from}),
	};
}

/** Returns a rule as the options `--allow` and `--deny` write it. Rules of cards have no such form. */
function textOf({tool, match, exact, begins, isNew}: Rule): string {
	const words = match ?? exact ?? (begins && patternText(begins)) ?? (isNew === true ? 'new' : undefined);
	return words === undefined ? tool : `${tool}(${words})`;
}
