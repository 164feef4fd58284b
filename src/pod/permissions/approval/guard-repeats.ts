import {en, t} from '../../../language/index.ts';
import {
	closingOutput,
	type CallFacts,
	type Interceptor,
	type ToolCall,
	type ToolOutput,
	type ToolPreview,
} from '../../../worker/index.ts';
import type {Answer} from './asks.ts';
import {closureCauses} from '../../ground/history/interrupt.ts';
import type {Ask} from '../../protocol.ts';

/** Asks the user. Absent if no one can approve. */
export type AskUser = (question: Omit<Ask, 'id'>) => Promise<Answer | undefined>;

/**
Keeps a call from making the same change twice. A call that may change something and may have started before needs a new
approval, whatever was allowed earlier. If no one can approve, or the user denies the call, inkpod closes the call as
interrupted, with the output that the call has produced.
*/
export function guardRepeats(ask: AskUser | undefined): Required<Pick<Interceptor, 'preToolCall'>> {
	return {
		async preToolCall(call, facts) {
			if (!isRisky(facts)) return {type: 'continue'};
			if (ask === undefined) return {type: 'result', output: closedOutput(facts)};
			const shown = await facts.preview?.().catch(() => undefined);
			if (shown?.fails !== undefined)
				return {type: 'result', output: closedOutput(facts, en`It was not run again: ${shown.fails}`)};
			const answer = await ask(questionOf(call, facts, shown));
			if (answer === undefined) return {type: 'pause'};
			if (answer.choice === 'allow') return {type: 'continue'};
			const reason = answer.reason?.trim() ?? '';
			return {
				type: 'result',
				output: closedOutput(facts, reason === '' ? undefined : en`The user says: ${reason}`),
			};
		},
	};
}

/** Tells whether a call changes something and may have done so before. */
export function isRisky({effect, mayHaveRun}: Pick<CallFacts, 'effect' | 'mayHaveRun'>): boolean {
	return mayHaveRun && effect !== 'read';
}

/** `note` is an additional line for the model. */
function closedOutput({earlierRun}: CallFacts, note?: string): ToolOutput {
	const output = closingOutput(closureCauses[earlierRun?.cause ?? 'died'], earlierRun?.partial);
	return note === undefined ? output : {...output, content: `${output.content}\n${note}`};
}

function questionOf(call: ToolCall, {earlierRun}: CallFacts, shown: ToolPreview | undefined): Omit<Ask, 'id'> {
	const {callId, name, arguments: written} = call;
	const output = earlierRun?.partial?.content ?? '';
	const detail = shown?.detail ?? written;
	return {
		callId,
		title: t`${titles[earlierRun?.cause ?? 'died'](name, earlierRun?.partial?.ms ?? 0)} Run it again?`,
		detail: output === '' ? detail : t`${detail}\n\nOutput so far:\n${lastLines(output)}`,
		...(shown && {shows: shown.shows}),
		choices: [
			{choice: 'allow', label: t`Run it again`},
			{choice: 'deny', label: t`Continue without it`, refuses: true, reason: true},
		],
	};
}

/**
Returns the last lines of an output, because they best show how far a call came. The transcript contains the whole
output.
*/
function lastLines(output: string): string {
	const lines = output.trimEnd().split('\n');
	const earlier = lines.length - shownLines;
	return earlier <= 0 ? output : [`… ${earlier} earlier lines`, ...lines.slice(-shownLines)].join('\n');
}

const shownLines = 12;

/** The titles of the cards, by the cause of the stop. The duration is unknown if the process died. */
const titles: Readonly<Record<NonNullable<CallFacts['earlierRun']>['cause'], (name: string, ms: number) => string>> = {
	cancelled: interruptedAfter,
	paused: interruptedAfter,
	error: interruptedAfter,
	died: name => en`${name} may have run, wholly or in part, before inkpod exited.`,
};

function interruptedAfter(name: string, ms: number): string {
	return en`${name} was interrupted after ${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s.`;
}
