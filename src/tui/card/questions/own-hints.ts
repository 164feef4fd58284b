import type {Ask} from '../../../pod/protocol.ts';
import type {Progress} from './progress.ts';
import {answerHints, closedHints, planHints, type OwnHints} from './texts.ts';

/** Returns the hints of a card with questions or with a plan. Other cards have the hints of an approval. */
export function ownHints({shows, questions}: Ask, progress?: Progress): OwnHints | undefined {
	if (shows === 'markdown') return planHints;
	const question = questions?.[progress?.answers.length ?? 0];
	if (question === undefined) return undefined;
	return question.free === false && (question.options ?? []).length > 0 ? closedHints : answerHints;
}
