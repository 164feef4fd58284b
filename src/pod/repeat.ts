import type {CallFacts, Interceptor, ToolCall} from '../worker/index.ts';
import type {Answer} from './asks.ts';
import {closureCauses} from './interrupt.ts';
import type {Ask} from './protocol.ts';

/** Asks the person. Absent where nobody can be asked. */
export type AskPerson = (question: Omit<Ask, 'id'>) => Promise<Answer | undefined>;

/**
Keeps a call from changing something twice: one that is not read-only and may have run when the process died is asked about
again, whatever was allowed before. Where nobody can be asked, or the answer is no, it is closed as interrupted.
*/
export function guardRepeats(ask: AskPerson | undefined): Required<Pick<Interceptor, 'preToolCall'>> {
	return {
		async preToolCall(call, facts) {
			if (!isRisky(facts)) return {type: 'continue'};
			const answer = ask === undefined ? {choice: 'deny'} : await ask(await questionOf(call, facts));
			if (answer === undefined) return {type: 'pause'};
			return answer.choice === 'allow' ? {type: 'continue'} : {type: 'result', output: {summary: closed, content: closed}};
		},
	};
}

/** Whether a call changes something and may have done so before. */
export function isRisky({effect, mayHaveRun}: Pick<CallFacts, 'effect' | 'mayHaveRun'>): boolean {
	return mayHaveRun && effect !== 'read';
}

async function questionOf({callId, name, arguments: written}: ToolCall, {preview}: CallFacts): Promise<Omit<Ask, 'id'>> {
	const shown = await preview?.().catch(() => undefined);
	return {
		callId,
		title: `${name} may have run already, wholly or in part, before inkpod ended. Run it again?`,
		detail: shown?.detail ?? written,
		...(shown && {shows: shown.shows}),
		choices: [{choice: 'allow', label: 'Yes, run it again'}, {choice: 'deny', label: 'No, close it'}],
	};
}

const closed = `[Interrupted${closureCauses.died}]`;
