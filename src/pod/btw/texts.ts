import {cutText} from '../../worker/index.ts';

export const btwTexts = {
	noTools: 'Tools are not available in a side question. Answer from the conversation, without tools.',
	noToolsSummary: 'not available in a side question',
	unknown: 'This side question no longer exists. Ask it again with /btw.',
	running: 'The answer is not complete. Wait for its end, or press Esc to discard it.',
	noAnswer: 'There is no answer to attach.',
	tooMany: 'Too many side questions are being answered. Discard one of them first.',
	costNotSaved: 'The cost of this side question could not be saved. It counts until inkpod exits.',
	closing: 'The session is closing.',
	compacting: 'A compaction is in progress. Ask again when it has ended.',
	/** The text of an attached answer. Stored histories contain it. */
	attached: (question: string, answer: string) =>
		`[Answer to the side question: ${cutText(question.replaceAll(/\s+/g, ' ').trim(), 400).text}]\n${answer}`,
} as const;
