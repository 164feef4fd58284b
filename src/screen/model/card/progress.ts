import type {Ask, Question, QuestionAnswer} from '../../../pod/protocol.ts';
import {required} from '../../../text/lines.ts';
import {answeredText, questionTexts} from './questions-texts.ts';

/**
The answers that the user has already given to the questions of a card, and the chosen options of the current question.
*/
export type Progress = {readonly answers: readonly QuestionAnswer[]; readonly chosen: readonly number[]};

export const noProgress: Progress = {answers: [], chosen: []};

/** The meaning of a choice on a question card. */
type QuestionChoice =
	| {readonly kind: 'option'; readonly index: number}
	| {readonly kind: 'done'}
	| {readonly kind: 'none'};

/**
Returns the current question of the card as an ask with choices, so that the rules of all cards apply to it. An ask
without questions is returned unchanged. The result is cached, because rows are cached by ask.
*/
export function askOnCard(ask: Ask, progress: Progress = noProgress): Ask {
	const question = ask.questions?.[progress.answers.length];
	if (ask.questions === undefined || question === undefined) return ask;
	const known = made.get(ask);
	if (known?.progress === progress) return known.shown;
	const shown = {
		...ask,
		title: questionTexts.title(question.title, progress.answers.length + 1, ask.questions.length),
		detail: progress.answers.map((answer, index) => earlier(ask.questions?.[index], answer)).join('\n'),
		choices: choicesOf(question, progress.chosen, ask),
	};
	made.set(ask, {progress, shown});
	return shown;
}

/** The latest result of `askOnCard` for each ask. */
const made = new WeakMap<Ask, {readonly progress: Progress; readonly shown: Ask}>();

/** Returns the meaning of a choice that `askOnCard` made. */
export function classifyDraft({options = []}: Question, choice: string): QuestionChoice {
	const index = options.findIndex((_, each) => optionName(each) === choice);
	if (index !== -1) return {kind: 'option', index};
	return {kind: choice === doneName ? 'done' : 'none'};
}

function choicesOf(
	{options = [], multiple = false}: Question,
	chosen: readonly number[],
	{choices}: Ask,
): Ask['choices'] {
	const isChoice = multiple && options.length > 0;
	const refusal = required(
		choices.find(({refuses}) => refuses === true),
		'refusal',
	);
	return [
		...options.map((text, index) => ({
			choice: optionName(index),
			label: isChoice ? questionTexts.box(text, chosen.includes(index)) : text,
		})),
		...(isChoice ? [{choice: doneName, label: questionTexts.done}] : []),
		{choice: noneName, label: refusal.label, refuses: true, reason: true},
	];
}

function earlier(question: Question | undefined, {options = [], text = ''}: QuestionAnswer): string {
	const chosen = options.flatMap(index => question?.options?.[index] ?? []);
	const answer = [...chosen, text].filter(part => part !== '').join('; ');
	return answeredText(question?.title ?? '', answer).replaceAll(/\s*\n\s*/g, ' ');
}

const optionName = (index: number) => `option:${index}`;
const doneName = 'done';
const noneName = 'none';
