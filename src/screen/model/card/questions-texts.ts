import {t} from '../../../language/index.ts';
import type {HintText} from './texts.ts';

/** The texts of a card with questions. Titles and options are untrusted, and the card sanitizes them. */
export const questionTexts = {
	title: (title: string, place: number, count: number) => (count > 1 ? `${place}/${count} ${title}` : title),
	box: (option: string, isChosen: boolean) => `[${isChosen ? 'x' : ' '}] ${option}`,
	done: t`Done`,
} as const;

export function answeredText(title: string, answer: string): string {
	return `${title} → ${answer === '' ? t`no answer` : answer}`;
}

/**
The hints of a card on which a typed text can be more than a reason to deny. They say what typing does, and what Enter
does with the text. The status line shows `status` while the user types.
*/
export type OwnHints = {
	readonly placeholder: string;
	readonly typing: string;
	readonly typed: HintText;
	readonly status: string;
};

export const answerHints: OwnHints = {
	placeholder: t`Type your answer, or choose an option above`,
	typing: t`or type your answer`,
	typed: {text: t`Enter to send this text as your answer`, short: t`Enter to answer`},
	status: t`enter an answer`,
};

/** The hints of a question without options. */
export const openHints: OwnHints = {...answerHints, placeholder: t`Type your answer · Esc: no answer`};

/** What Enter does with a typed text if options are marked. */
export const typedBesideMarks: HintText = {
	text: t`Enter to send the marked options and this text`,
	short: t`Enter to answer`,
};

/** The hints of a question whose options are the only answers. */
export const closedHints: OwnHints = {
	placeholder: t`Type text to reply without choosing`,
	typing: t`type text to reply without choosing`,
	typed: {text: t`Enter to reply with this text, without choosing`, short: t`Enter to reply`},
	status: t`enter a reply`,
};

export const planHints: OwnHints = {
	placeholder: t`Type what the plan should change`,
	typing: t`type a text to request changes`,
	typed: {text: t`Enter to request this change of the plan`, short: t`Enter to request it`},
	status: t`enter a change`,
};
