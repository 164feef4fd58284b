import type {Ask} from '../../protocol.ts';
import type {Answer} from './asks.ts';

/** Shows a card. Resolves with `undefined` when the signal is aborted first. */
export type AskUser = (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;

/** Functions that settle open questions which the current mode or rules no longer ask. */
export type OpenQuestions = Set<() => void>;

type Asking = {
	readonly ask: AskUser;
	readonly openQuestions: OpenQuestions;
	/** Tells whether the question is no longer needed, because the call may run. */
	readonly isMoot: () => boolean;
	/** The signal that stops the run. */
	readonly run: AbortSignal;
};

/** Returns the user's answer. The answer is also `allow` when the question is settled because it became moot. */
export async function askUntilMoot(
	card: Omit<Ask, 'id'>,
	{ask, openQuestions, isMoot, run}: Asking,
): Promise<Answer | undefined> {
	const moot = new AbortController();
	const settle = () => {
		if (isMoot()) moot.abort();
	};
	openQuestions.add(settle);
	try {
		const answer = await ask(card, AbortSignal.any([run, moot.signal]));
		return answer === undefined && !run.aborted ? {choice: 'allow'} : answer;
	} finally {
		openQuestions.delete(settle);
	}
}
