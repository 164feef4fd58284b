import type {ToolCall} from '../../../worker/index.ts';
import type {Ask, AskChoice, Question} from '../../protocol.ts';
import {questionChoices} from '../../protocol/question-choices.ts';
import {questionLimits} from '../../protocol/questions.ts';
import type {Answer} from './asks.ts';
import {lastingFor, withRefusal, type Given} from './card.ts';
import type {Subject} from './rule.ts';
import {cardTexts} from './texts.ts';

/** What a command changed, as its card shows it. */
export type ShownChanges = Pick<Ask, 'detail' | 'shows'> & {
	/** The parts that can be taken separately, each as a line of text. If there are no parts, nothing can be taken. */
	readonly parts: readonly string[];
	/** The command as shown on a card about a run without confinement. Absent if such a run is not possible. */
	readonly command?: string | undefined;
};

/** The choices that lead to another card. */
export const takeChoices = {some: 'some', unconfined: 'unconfined'} as const;

/** Creates the card of a command that was tried. The card asks whether inkpod takes over the changes of the command. */
export function takeCard(
	{callId, name}: ToolCall,
	subject: Subject,
	{detail, shows, parts, command}: ShownChanges,
	given: Given,
): Omit<Ask, 'id'> {
	const {usual, more} = lastingFor(name, subject, {}, given, cardTexts.takeAlways);
	const other: readonly AskChoice[] = [
		...(canPick(parts) ? [{choice: takeChoices.some, label: cardTexts.takeSome}] : []),
		...(command === undefined ? [] : [{choice: takeChoices.unconfined, label: cardTexts.runUnconfined}]),
	];
	return {
		callId,
		title: given.decision.reason === 'plan' ? cardTexts.takeInPlan : cardTexts.take,
		...{detail, shows},
		choices: [
			{choice: 'allow', label: cardTexts.takeThem},
			...withRefusal(cardTexts.discardThem, {usual, more: [...other, ...more]}),
		],
	};
}

/** Creates the card of a command that was tried if none of its changes can be taken. */
export function nothingCard({callId}: ToolCall, {detail, shows}: ShownChanges): Omit<Ask, 'id'> {
	return {
		callId,
		title: cardTexts.takeNothing,
		...{detail, shows},
		note: cardTexts.unconfinedReach,
		choices: [
			{choice: takeChoices.unconfined, label: cardTexts.once},
			{choice: 'deny', label: cardTexts.discardThem, refuses: true, reason: true},
		],
	};
}

/** Creates the card that asks whether a command that was tried runs again without confinement. */
export function againCard({callId}: ToolCall, command: string): Omit<Ask, 'id'> {
	return {
		callId,
		title: cardTexts.unconfined,
		detail: command,
		shows: 'command',
		note: `${cardTexts.unconfinedReach} ${cardTexts.discardsFirst}`,
		choices: [
			{choice: takeChoices.unconfined, label: cardTexts.once},
			{choice: 'back', label: cardTexts.backToChanges, refuses: true},
		],
	};
}

/** Creates the card with a list of the parts. It has several pages, because each part has a digit. */
export function pickCard({callId}: ToolCall, parts: readonly string[]): Omit<Ask, 'id'> {
	const pages = Array.from({length: Math.ceil(parts.length / onPage)}, (_, page): Question => ({
		title: cardTexts.takeWhich,
		options: parts.slice(page * onPage, (page + 1) * onPage),
		multiple: true,
		free: false,
	}));
	return {
		callId,
		title: cardTexts.takeWhich,
		detail: parts.join('\n'),
		questions: pages.map(({options = [], ...page}) => ({...page, options: [...options]})),
		choices: [
			{choice: questionChoices.answer, label: cardTexts.takeThem},
			{choice: questionChoices.none, label: cardTexts.backToChanges, refuses: true, reason: true},
		],
	};
}

/**
Returns the numbers of the marked parts. If the user typed a reason, the marks so far count. Otherwise, the marks count
only if the user has answered all pages.
*/
export function pickedParts({choice, answers = [], reason = ''}: Answer, count: number): readonly number[] {
	const isWhole = reason.trim() !== '' || answers.length === Math.ceil(count / onPage);
	if (choice !== questionChoices.answer || !isWhole) return [];
	const marked = answers.flatMap(({options = []}, page) => options.map(option => page * onPage + option));
	return [...new Set(marked)].filter(part => part < count).toSorted((one, other) => one - other);
}

/** Tells whether a card can list the parts. A single part needs no list, and a list has a maximum length. */
function canPick(parts: readonly string[]): boolean {
	return (
		parts.length > 1 &&
		parts.length <= onPage * questionLimits.questions &&
		parts.every(part => part.length <= questionLimits.option)
	);
}

const onPage = questionLimits.options;
