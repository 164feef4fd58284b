import type {Interceptor} from '../../../worker/index.ts';
import type {AskUser} from './guard-repeats.ts';
import {refusalOutput} from './refusal.ts';
import {cardTexts} from './texts.ts';

/**
Asks the user for the confirmations that a tool needs, whatever the rules allow. If there is no confirmation, for
example because no one can approve, the tool itself refuses the call. If the user denies the call with a reason, this
reason becomes the result. An aborted question pauses the run.
*/
export function confirmCalls(ask: AskUser | undefined): Required<Pick<Interceptor, 'preToolCall'>> {
	return {
		async preToolCall({callId, name}, facts) {
			const wanted = ask && (await facts.confirmation?.());
			if (ask === undefined || wanted === undefined) return {type: 'continue'};
			const answer = await ask({callId, title: wanted.title, detail: wanted.detail, choices});
			if (answer === undefined) return {type: 'pause'};
			if (answer.choice === 'allow') wanted.confirm();
			const {reason = ''} = answer;
			if (answer.choice === 'allow' || reason === '') return {type: 'continue'};
			return {type: 'result', output: refusalOutput(name, {type: 'user', reason})};
		},
	};
}

const choices = [
	{choice: 'allow', label: cardTexts.confirmOnce},
	{choice: 'deny', label: cardTexts.deny, refuses: true, reason: true},
];
