import type {CallFacts, ToolCall} from '../../../worker/index.ts';
import type {Ask} from '../../protocol.ts';
import {askUntilMoot, type AskUser, type OpenQuestions} from './ask-until.ts';
import type {Answer} from './asks.ts';
import {approvalCard, takeCard, type Patterns, type ShownChanges} from './card.ts';
import type {Decision} from './decision.ts';
import type {InspectedCall, Judge} from './judge.ts';
import type {Refusal} from './refusal.ts';

/** A command that is tried on a layer before anybody has approved it. */
export type Trial = {
	/** Asks whether the command may run with what it lacked. `why` is a sentence about that. */
	readonly askToRun: (why: string) => Promise<TrialAnswer>;
	/**
	Asks whether the changes of the command are taken over. No card is shown if the mode takes such changes. `isSpecial`:
	some of the changes need a card in every mode.
	*/
	readonly askToTake: (changes: ShownChanges, isSpecial: boolean) => Promise<TrialAnswer>;
};

export type TrialAnswer =
	/** `isSeen`: the user has seen the card. */
	| {readonly type: 'yes'; readonly isSeen: boolean}
	| {readonly type: 'no'; readonly refusal: Refusal}
	/** The run was stopped. */
	| {readonly type: 'paused'};

type TrialOptions = {
	readonly call: ToolCall;
	readonly facts: CallFacts;
	readonly inspected: InspectedCall;
	readonly decision: Extract<Decision, {type: 'ask'}>;
	readonly judge: Judge;
	/** It is absent if nobody can approve. */
	readonly ask: AskUser | undefined;
	readonly openQuestions: OpenQuestions;
	/** Gets the answer of a card, and keeps the rules that it creates. */
	readonly onAnswer: (answer: Answer, patterns: Patterns) => Promise<void>;
	readonly run: AbortSignal;
};

export function createTrial(options: TrialOptions): Trial {
	const {call, facts, inspected, decision, judge, ask, openQuestions, onAnswer, run} = options;
	const patterns = judge.patternsFor(inspected, decision);
	const isAllowed = () => judge.judge(inspected).type === 'run';
	const answerTo = async (card: Omit<Ask, 'id'>, isMoot: () => boolean): Promise<TrialAnswer> => {
		if (ask === undefined) return {type: 'no', refusal: {type: 'unattended', isTried: true}};
		const answer = await askUntilMoot(card, {ask, openQuestions, isMoot, run});
		if (answer === undefined) return {type: 'paused'};
		if (isMoot()) return {type: 'yes', isSeen: false};
		await onAnswer(answer, patterns);
		if (!answer.choice.startsWith('deny')) return {type: 'yes', isSeen: true};
		return {type: 'no', refusal: {type: 'user', reason: answer.reason, isTried: true}};
	};
	return {
		async askToRun(why) {
			if (isAllowed()) return {type: 'yes', isSeen: false};
			const card = await approvalCard(call, facts, inspected.subject, {decision, patterns});
			return answerTo({...card, title: `${card.title} ${why}`}, isAllowed);
		},
		async askToTake(changes, isSpecial) {
			const isTaken = () =>
				isAllowed() || (judge.mode() === 'accept-edits' && decision.reason === 'mode' && !isSpecial);
			if (isTaken()) return {type: 'yes', isSeen: false};
			return answerTo(takeCard(call, inspected.subject, changes, {decision, patterns}), isTaken);
		},
	};
}
