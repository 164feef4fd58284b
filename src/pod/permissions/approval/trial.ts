import type {CallFacts, ToolCall} from '../../../worker/index.ts';
import type {Ask} from '../../protocol.ts';
import {askUntilMoot, type AskUser, type OpenQuestions} from './ask-until.ts';
import type {Answer} from './asks.ts';
import {approvalCard, type Patterns} from './card.ts';
import type {Decision} from './decision.ts';
import type {InspectedCall, Judge} from './judge.ts';
import type {Refusal} from './refusal.ts';
import {againCard, nothingCard, pickCard, pickedParts, takeCard, takeChoices, type ShownChanges} from './take-card.ts';

/** A command that is tried on a layer before anybody has approved it. */
export type Trial = {
	/**
	Asks whether the command may run with everything that was missing in the trial. `why` is a sentence about that.
	*/
	readonly askToRun: (why: string) => Promise<TrialAnswer>;
	/**
	Asks whether inkpod takes over the changes of the command. It shows no card if the mode allows such changes, or if
	nothing can be taken and the command may not run without confinement. `isSpecial`: some of the changes need a card
	in every mode.
	*/
	readonly askToTake: (changes: ShownChanges, isSpecial: boolean) => Promise<TrialAnswer>;
};

export type TrialAnswer =
	/**
	`isSeen`: the user has seen the card. `some`: set if the user takes only some parts. It contains the numbers of
	these parts and the user's sentence for the model.
	*/
	| {readonly type: 'yes'; readonly isSeen: boolean; readonly some?: SomeParts}
	| {readonly type: 'no'; readonly refusal: Refusal}
	/** The changes are discarded, and the command runs without confinement. */
	| {readonly type: 'again'}
	/** The run was stopped. */
	| {readonly type: 'paused'};

type SomeParts = {readonly parts: readonly number[]; readonly reason: string};

type TrialOptions = {
	readonly call: ToolCall;
	readonly facts: CallFacts;
	readonly inspected: InspectedCall;
	readonly decision: Extract<Decision, {type: 'ask'}>;
	readonly judge: Judge;
	/** Absent if no one can approve. */
	readonly ask: AskUser | undefined;
	readonly openQuestions: OpenQuestions;
	/** Called with the answer of a card. It keeps the rules that the answer creates. */
	readonly onAnswer: (answer: Answer, patterns: Patterns) => Promise<void>;
	/** Called if a rule or the mode makes a card unnecessary. */
	readonly onAllowed: () => void;
	readonly run: AbortSignal;
};

export function createTrial(options: TrialOptions): Trial {
	const {call, facts, inspected, decision, judge, ask, openQuestions, onAnswer, onAllowed, run} = options;
	const patterns = judge.patternsFor(inspected, decision);
	const isAllowed = () => judge.judge(inspected).type === 'run';
	const unseen = (): TrialAnswer => {
		onAllowed();
		return {type: 'yes', isSeen: false};
	};
	const show: Show = async (card, isMoot) => {
		if (ask === undefined) return {type: 'no', refusal: {type: 'unattended', isTried: true}};
		const answer = await askUntilMoot(card, {ask, openQuestions, isMoot, run});
		if (answer === undefined) return {type: 'paused'};
		return isMoot() ? unseen() : answer;
	};
	const settled = async (answer: Answer | TrialAnswer): Promise<TrialAnswer> => {
		if ('type' in answer) return answer;
		if (answer.choice === takeChoices.unconfined) return {type: 'again'};
		await onAnswer(answer, patterns);
		if (!answer.choice.startsWith('deny')) return {type: 'yes', isSeen: true};
		return {type: 'no', refusal: {type: 'user', reason: answer.reason, isTried: true}};
	};
	return {
		async askToRun(why) {
			if (isAllowed()) return unseen();
			const card = await approvalCard(call, facts, inspected.subject, {decision, patterns});
			return settled(await show({...card, title: `${card.title} ${why}`}, isAllowed));
		},
		async askToTake(found, isSpecial) {
			const isTaken = () =>
				isAllowed() || (judge.mode() === 'accept-edits' && decision.reason === 'mode' && !isSpecial);
			if (isTaken()) return unseen();
			// In plan mode, no command may run without confinement.
			const changes = decision.reason === 'plan' ? {...found, command: undefined} : found;
			const isNothing = changes.parts.length === 0;
			// A card without a choice would only repeat what the result says.
			if (isNothing && changes.command === undefined && ask !== undefined) return {type: 'yes', isSeen: false};
			const card = isNothing
				? nothingCard(call, changes)
				: takeCard(call, inspected.subject, changes, {decision, patterns});
			for (let round = 0; round < maxRounds; round++) {
				const answer = await show(card, isTaken);
				const next = isNothing || 'type' in answer ? undefined : nextCards[answer.choice];
				if (next === undefined) return settled(answer);
				const answered = await next(call, changes, async other => show(other, isTaken));
				if (answered !== undefined) return settled(answered);
			}
			return settled({choice: 'deny'});
		},
	};
}

/**
The maximum number of cards. A program that answers cards could go back to the first card again and again. After this
number of cards, the changes are discarded.
*/
const maxRounds = 100;

/** Shows a card. Returns the user's answer, or the result of the trial if no answer came or none is needed any more. */
type Show = (card: Omit<Ask, 'id'>, isMoot: () => boolean) => Promise<Answer | TrialAnswer>;

/** The choices that show another card. They return nothing if the user goes back to the card about the changes. */
const nextCards: {
	readonly [Choice in string]?: (
		call: ToolCall,
		changes: ShownChanges,
		show: (card: Omit<Ask, 'id'>) => Promise<Answer | TrialAnswer>,
	) => Promise<Answer | TrialAnswer | undefined>;
} = {
	async [takeChoices.some](call, {parts}, show) {
		const answer = await show(pickCard(call, parts));
		if ('type' in answer) return answer;
		const picked = pickedParts(answer, parts.length);
		const reason = answer.reason?.trim() ?? '';
		if (picked.length > 0) return {type: 'yes', isSeen: true, some: {parts: picked, reason}};
		return reason === '' ? undefined : {choice: 'deny', reason};
	},
	async [takeChoices.unconfined](call, {command = ''}, show) {
		const answer = await show(againCard(call, command));
		return 'type' in answer || answer.choice === takeChoices.unconfined ? answer : undefined;
	},
};
