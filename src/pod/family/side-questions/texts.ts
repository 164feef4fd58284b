import {en, t} from '../../../language/index.ts';
import {cutText} from '../../../worker/index.ts';

export const sideQuestionTexts = {
	noTools: en`Tools are not available in a side question. Answer from the conversation, without tools.`,
	noToolsSummary: en`not available in a side question`,
	unknown: t`This side question no longer exists. Ask it again with /btw.`,
	running: t`The answer is not complete. Wait for its end, or press Esc to discard it.`,
	noAnswer: t`There is no answer to attach.`,
	tooMany: t`Too many side questions are being answered. Discard one of them first.`,
	closing: t`The session is closing.`,
	compacting: t`A compaction is in progress. Ask again when it has ended.`,
	/** The text of an attached answer. Stored histories contain it. */
	attached: (question: string, answer: string) =>
		`[Answer to the side question: ${cutText(question.replaceAll(/\s+/g, ' ').trim(), 400).text}]\n${answer}`,
} as const;
