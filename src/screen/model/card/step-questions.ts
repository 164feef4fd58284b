import {questionChoices, type Ask, type Question, type QuestionAnswer} from '../../../pod/protocol.ts';
import {newAnswering, type Answering} from './answering.ts';
import type {AnsweringEffect} from './events.ts';
import {refusalOf, type Card} from './card.ts';
import {askOnCard, classifyDraft, noProgress, type Progress} from './progress.ts';

type AnswerEffect = Extract<AnsweringEffect, {type: 'answer'}>;
type QuestionStep = {readonly card: Card; readonly effects: readonly AnsweringEffect[]};

/**
Takes the answer to one question of a card. The card then shows the next question, or all answers are sent. `text` is
the draft. "No answer" ends the card: the answers so far are sent, and the remaining questions have none.
*/
export function stepQuestions(ask: Ask, card: Card, effect: AnswerEffect, text: string): QuestionStep {
	const {questions: progress = noProgress} = card;
	const question = ask.questions?.[progress.answers.length];
	if (question === undefined) return {card, effects: [effect]};
	const meaning = classifyDraft(question, effect.choice);
	if (meaning.kind === 'option') {
		return question.multiple === true
			? toggle(card, progress, meaning.index)
			: next(ask, card, {options: [meaning.index]}, effect);
	}
	if (meaning.kind === 'done') return next(ask, card, {options: progress.chosen}, effect);
	if (!effect.withReason || isClosed(question)) return end(card, progress.answers, {effect, reason: text});
	return next(ask, card, typedAnswer(question, text), effect);
}

/** Chooses an option, or takes it back. The marker stays there, and the next key may follow at once. */
function toggle(card: Card, progress: Progress, index: number): QuestionStep {
	const {isAnswered: _, ...answering}: Answering = card.answering;
	const chosen = progress.chosen.includes(index)
		? progress.chosen.filter(each => each !== index)
		: [...progress.chosen, index].toSorted((a, b) => a - b);
	return {card: {...card, questions: {...progress, chosen}, answering: {...answering, marked: index}}, effects: []};
}

function next(ask: Ask, card: Card, answer: QuestionAnswer, effect: AnswerEffect): QuestionStep {
	const answers = [...(card.questions?.answers ?? []), answer];
	if (answers.length === ask.questions?.length) return end(card, answers, {effect, reason: ''});
	const questions: Progress = {answers, chosen: []};
	const refusal = refusalOf(askOnCard(ask, questions));
	const isDraftEmpty = effect.withReason || card.answering.draft === 'reason';
	const answering = newAnswering({refusal, isDraftEmpty});
	return {card: {...card, scroll: 0, questions, answering}, effects: effect.withReason ? [{type: 'clear'}] : []};
}

function end(
	card: Card,
	answers: readonly QuestionAnswer[],
	{effect, reason}: {readonly effect: AnswerEffect; readonly reason: string},
): QuestionStep {
	const isAnswer = answers.length > 0;
	const {answer, none} = questionChoices;
	const sent = {type: 'answer', choice: isAnswer ? answer : none, withReason: effect.withReason, answers} as const;
	return {card, effects: [effect.withReason && reason !== '' ? {...sent, reason} : sent]};
}

/** Whether only the options are answers. A text is then a reply without an answer. */
function isClosed({free, options = []}: Question): boolean {
	return free === false && options.length > 0;
}

/** Returns the options that a text such as `1 3` or `1, 3` names, or the text itself. */
function typedAnswer({options = [], multiple}: Question, text: string): QuestionAnswer {
	const numbers = /^[1-9](?:[\s,]+[1-9])*$/.test(text) ? text.split(/[\s,]+/).map(Number) : [];
	const named = [...new Set(numbers.map(number => number - 1))];
	const isNamed = named.length > 0 && named.every(index => index < options.length);
	return isNamed && (multiple === true || named.length === 1) ? {options: named} : {text};
}
