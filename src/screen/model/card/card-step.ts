import {flatten, questionChoices, type Ask, type Question, type QuestionAnswer} from '../../../pod/protocol.ts';
import {countDigits, isEmpty} from '../../editor/draft.ts';
import {toSegments} from '../../editor/segments.ts';
import type {AppState} from '../app-state.ts';
import {asksOf, statusOf} from '../selectors.ts';
import type {Press} from '../keys/keys-state.ts';
import {answerDelay, stepAnswering, type Note, newAnswering, type Answering} from './answering.ts';
import type {AnsweringEffect, AnsweringEvent} from './events.ts';
import {factsOf, newCard, type Card, type DraftFacts, refusalOf} from './card.ts';
import {compose} from '../composer/composer-state.ts';
import {askOnCard, classifyDraft, noProgress, type Progress} from './progress.ts';

/** The card after an event, and the effects of the event. */
type CardStep = {readonly card: Card; readonly effects: readonly AnsweringEffect[]};

/** Applies an event to the card. Returns `undefined` when no card shows the first question. */
export function stepCard(state: AppState, event: AnsweringEvent): CardStep | undefined {
	const [ask] = asksOf(state);
	const {card} = state.asks;
	if (ask === undefined || card === undefined || ask.id !== card.id) return undefined;
	const facts = factsOf(ask, draftFacts(state), mayStopTurn(state));
	const {state: answering, effects} = stepAnswering(card.answering, event, facts);
	const answer = ask.questions && effects.find(effect => effect.type === 'answer');
	if (answer !== undefined) {
		const step = stepQuestions(ask, {...card, answering}, answer, draftText(state).trim());
		return {...step, effects: [...step.effects, ...effects.filter(({type}) => type === 'stop')]};
	}
	if (answering === card.answering) return {card, effects};
	const isOther = (answering.confirming === undefined) !== (card.answering.confirming === undefined);
	return {card: {...card, answering, ...(isOther && {scroll: 0})}, effects};
}

/**
Returns the state with the card of the first open question. A draft that the user began before the card appeared is a
message. A single digit that was just typed was meant for the previous card, so it is dropped.
*/
export function followAsks(state: AppState): AppState {
	const [ask] = asksOf(state);
	if (ask?.id === state.asks.card?.id) return state;
	if (ask === undefined) return {...state, asks: {...state.asks, card: undefined}};
	const {composer} = state;
	const isDropped = countDigits(composer.editor.draft) === 1 && awaitsCardUntil(state, state.now) !== undefined;
	const card = newCard(ask, isDropped || isEmpty(composer.editor.draft), state.asks.escapedAt);
	const left = isDropped ? {...state, composer: compose(composer, {type: 'clear'})} : state;
	return {...left, asks: {...state.asks, card}};
}

/** Tells whether a turn continues that a second Esc on the card can stop. */
export function mayStopTurn(state: AppState): boolean {
	const {own, card} = state.asks;
	return statusOf(state).kind === 'running' && !own.some(({id}) => id === card?.id);
}

/**
If you have just typed a draft of digits, returns the time until which they may have been meant for a card. Until then
the draft is not sent.
*/
export function awaitsCardUntil({composer, keys: {digitAt}}: AppState, now: number): number | undefined {
	if (digitAt === undefined || now >= digitAt + answerDelay) return undefined;
	return countDigits(composer.editor.draft) > 0 ? digitAt + answerDelay : undefined;
}

/**
Tells whether a card is open and the draft contains only digits. These are then neither a message nor a reason, but may
be the answer to a question.
*/
export function hasDigitsOnCard(state: AppState): boolean {
	const {card} = state.asks;
	if (card === undefined || countDigits(state.composer.editor.draft) === 0) return false;
	return asksOf(state)[0]?.questions === undefined || card.answering.draft === 'message';
}

/**
Returns the reason why a key may not change the request while a card is open. For example, the key arrived together with
other keys, or the card has just appeared.
*/
export function bypassNote({asks: {card}}: AppState, {alone, isHeld}: Press, now: number): Note | undefined {
	if (card === undefined) return undefined;
	const {drawnAt, isSeen} = card.answering;
	if (!alone) return 'together';
	if (isHeld) return 'held';
	if (drawnAt === undefined || now - drawnAt < answerDelay) return 'early';
	return isSeen ? undefined : 'unseen';
}

/**
Returns the facts about the draft. The length is computed on demand, because a draft may be as long as the longest
paste.
*/
function draftFacts(state: AppState): DraftFacts {
	const {draft} = state.composer.editor;
	return {
		isEmpty: isEmpty(draft),
		get hasOnlyDigits() {
			return hasDigitsOnCard(state);
		},
		get length() {
			return flatten(toSegments(draft)).length;
		},
	};
}

function draftText({composer}: AppState): string {
	return flatten(toSegments(composer.editor.draft));
}

type AnswerEffect = Extract<AnsweringEffect, {type: 'answer'}>;

type QuestionStep = {readonly card: Card; readonly effects: readonly AnsweringEffect[]};

/**
Takes the answer to one question of a card. The card then shows the next question, or all answers are sent. `text` is
the draft's text. "No answer" closes the card: the earlier answers are sent, and this question and all later ones stay
unanswered.
*/
function stepQuestions(ask: Ask, card: Card, effect: AnswerEffect, text: string): QuestionStep {
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
	if (!effect.withReason) return end(card, progress.answers, {effect, reason: text});
	if (!isClosed(question)) return next(ask, card, typedAnswer(question, text, progress.chosen), effect);
	const marked = progress.chosen.length === 0 ? [] : [{options: progress.chosen}];
	return end(card, [...progress.answers, ...marked], {effect, reason: text});
}

/** Selects an option, or deselects it. The marker moves to this option. The card accepts the next key immediately. */
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

/**
Tells whether the options are the only valid answers. A typed text is then a reply that leaves the question unanswered.
*/
function isClosed({free, options = []}: Question): boolean {
	return free === false && options.length > 0;
}

/**
Returns the options that a text such as `1 3` or `1, 3` names, or the text itself. The options that were chosen before
are part of the answer.
*/
function typedAnswer({options = [], multiple}: Question, text: string, chosen: readonly number[]): QuestionAnswer {
	const numbers = /^[1-9](?:[\s,]+[1-9])*$/.test(text) ? text.split(/[\s,]+/).map(Number) : [];
	const named = [...new Set(numbers.map(number => number - 1))];
	const isNamed = named.length > 0 && named.every(index => index < options.length);
	if (isNamed && (multiple === true || named.length === 1))
		return {options: [...new Set([...chosen, ...named])].toSorted((a, b) => a - b)};
	return chosen.length === 0 ? {text} : {options: chosen, text};
}
