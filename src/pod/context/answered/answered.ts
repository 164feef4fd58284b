import {
	foldOf,
	lastSetup,
	stamp,
	wireOf,
	type Clock,
	type History,
	type Interceptor,
	type Item,
	type Message,
	type RequestEnd,
	type RequestItem,
	type Settings,
} from '../../../worker/index.ts';
import {en, t} from '../../../language/index.ts';
import {isSameModel} from '../../models/same-model.ts';
import {knownModel} from '../../models/known-models.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import type {Alert} from '../../protocol.ts';
import {
	acceptedTopic,
	answeredText,
	answeredTopic,
	namePairOf,
	ownNameOf,
	type NamePair,
} from '../../protocol/answered.ts';
import {otherModelTexts} from './texts.ts';

export type ExactConfirmed =
	| {readonly ok: true}
	| {readonly ok: false; readonly code: 'other_model' | 'aborted'; readonly sentence: string};

/**
Reports answers from a model that inkpod did not request. With `isExact`, it also stops further requests until the user
accepts the model.
*/
export type AnsweredGuard = {
	/** Asks the user before a turn if another model answered. If no user can answer, the turn is refused. */
	confirm(signal: AbortSignal): Promise<ExactConfirmed>;
	/** `signal` is the signal of the run. */
	interceptor(signal: AbortSignal): Required<Pick<Interceptor, 'onRequestEnd' | 'preRequest' | 'onTurnEnd'>>;
	/**
	Creates the interceptor of a side conversation with its own history: a compaction or a side question. If there is no
	signal, inkpod does not ask the user, and the conversation ends before its next request.
	*/
	beside(own: History, signal?: AbortSignal): Required<Pick<Interceptor, 'onRequestEnd' | 'preRequest'>>;
	/** Returns the notices of a side conversation that the session does not have yet. */
	noticesOf(own: readonly Item[]): readonly Message[];
	/**
	Reports the pair of model names of a child session. The child's own history contains the notice. If no user can
	answer, this session also stops.
	*/
	noteChild(pair: NamePair): void;
};

type AnsweredOptions = {
	readonly history: History;
	readonly clock: Clock;
	/** Returns the name of the next request's model. */
	readonly model: () => string;
	/** Whether only the requested model is allowed to answer. */
	readonly isExact: boolean;
	/** The questions to the user. Absent if no user can answer. */
	readonly asks?: Asks | undefined;
	readonly onAlert: (alert: Alert) => void;
};

export function createAnsweredGuard(options: AnsweredOptions): AnsweredGuard {
	const {history, clock, asks} = options;
	const stops = createStops(options);
	const {pending, accept, report} = stops;

	return {
		async confirm(signal) {
			for (let pair = pending(); pair !== undefined; pair = pending()) {
				if (asks === undefined) return {ok: false, code: 'other_model', sentence: stoppedText(pair)};
				const isAccepted = await accept(asks, pair, signal);
				if (isAccepted === true) continue;
				const code = isAccepted === undefined ? 'aborted' : 'other_model';
				return {ok: false, code, sentence: otherModelTexts.denied};
			}
			return {ok: true};
		},
		interceptor: signal => ({
			onRequestEnd(ending, request) {
				const pair = newPair(history.items, ending, request);
				if (pair === undefined) return [];
				if (asks === undefined) report(answeredText(pair, t));
				return [noticeOf(answeredTopic, pair, clock)];
			},
			async preRequest() {
				for (let pair = pending(); pair !== undefined; pair = pending()) {
					if (asks === undefined) return stoppedBy(pair);
					if ((await accept(asks, pair, signal)) !== true) return {type: 'pause'};
				}
				return {type: 'continue'};
			},
			onTurnEnd() {
				const pair = asks === undefined ? pending() : undefined;
				return pair === undefined ? {type: 'finish'} : stoppedBy(pair);
			},
		}),
		beside: (own, signal) => ({
			onRequestEnd(ending, request) {
				const pair = newPair(own.items, ending, request);
				if (pair === undefined) return [];
				stops.noteBeside(pair);
				return [noticeOf(answeredTopic, pair, clock)];
			},
			async preRequest() {
				for (let pair = pending(own.items); pair !== undefined; pair = pending(own.items)) {
					const isAsked = asks !== undefined && signal !== undefined;
					if (!isAsked || (await accept(asks, pair, signal)) !== true) return stoppedBy(pair);
				}
				return {type: 'continue'};
			},
		}),
		noticesOf(own) {
			const {noticed} = namesIn(history.items);
			const found = [...namesIn(own).noticed].filter(([key]) => !noticed.has(key));
			return found.map(([, pair]) => noticeOf(answeredTopic, pair, clock));
		},
		noteChild: pair => stops.noteChild(pair),
	};
}

/** The pairs of model names that stop the next request. */
type Stops = {
	/** Returns a pair that the user has not accepted. `own`: the history of a side conversation. */
	readonly pending: (own?: readonly Item[]) => NamePair | undefined;
	/** Returns whether the user accepts the pair, or `undefined` if the signal was aborted. */
	readonly accept: (asks: Asks, pair: NamePair, signal: AbortSignal) => Promise<boolean | undefined>;
	readonly report: (text: string) => void;
	noteBeside(pair: NamePair): void;
	noteChild(pair: NamePair): void;
};

function createStops({history, clock, model, isExact, asks, onAlert}: AnsweredOptions): Stops {
	/** The pairs of side conversations. Their notices are in their own histories. */
	const beside = new Map<string, NamePair>();
	const children = new Map<string, NamePair>();
	const report = (text: string) => onAlert({level: 'warn', text});

	return {
		report,
		pending(own = history.items) {
			if (!isExact) return undefined;
			// If a user can answer, the child itself asks the user.
			const [ofChild] = asks === undefined ? children.values() : [];
			if (ofChild !== undefined) return ofChild;
			const {accepted, noticed} = namesIn(history.items);
			const pairs = new Map([...beside, ...noticed, ...namesIn(own).noticed]);
			return [...pairs].find(([key, {asked}]) => asked === model() && !accepted.has(key))?.[1];
		},
		async accept(open, pair, signal) {
			const detail = answeredText(pair, t);
			const answer = await open.ask({title: otherModelTexts.title, detail, choices}, signal);
			if (answer?.choice !== 'send') return answer === undefined ? undefined : false;
			await history.append([noticeOf(acceptedTopic, pair, clock)]);
			return true;
		},
		noteBeside(pair) {
			beside.set(keyOf(pair), pair);
			report(answeredText(pair, t));
		},
		noteChild(pair) {
			if (children.has(keyOf(pair))) return;
			children.set(keyOf(pair), pair);
			report(otherModelTexts.ofChild(answeredText(pair, t)));
		},
	};
}

const choices = [
	{choice: 'send', label: otherModelTexts.send},
	{choice: 'deny', label: otherModelTexts.deny, refuses: true},
];

/** The first name that each model answered with, and the pairs of names in the notices of a history. */
type Names = {
	readonly first: Map<string, string>;
	readonly noticed: Map<string, NamePair>;
	readonly accepted: Set<string>;
	request: RequestItem | undefined;
};

const namesIn = foldOf<Names>(
	() => ({first: new Map(), noticed: new Map(), accepted: new Set(), request: undefined}),
	(names, item) => {
		if (item.type === 'request') names.request = item;
		if (item.type === 'request_end') noteFirst(names, item);
		const pair = namePairOf(item, answeredTopic);
		if (pair !== undefined) names.noticed.set(keyOf(pair), pair);
		const accepted = namePairOf(item, acceptedTopic);
		if (accepted !== undefined) names.accepted.add(keyOf(accepted));
		return names;
	},
);

function noteFirst({first, request}: Names, ending: RequestEnd): void {
	const isOfRequest = request !== undefined && request.id === ending.request;
	if (ending.answered === undefined || !isOfRequest || first.has(request.model)) return;
	first.set(request.model, ending.answered.model);
}

/** Returns the pair of names of an answer, if another model answered and no notice has reported this yet. */
function newPair(
	items: readonly Item[],
	{answered: by}: RequestEnd,
	{model: asked}: RequestItem,
): NamePair | undefined {
	if (by === undefined) return undefined;
	const pair = {asked, answered: by.model};
	const {noticed, first} = namesIn(items);
	const name = nameAsked(asked, lastSetup(items)?.settings ?? {}) ?? first.get(asked) ?? by.model;
	return noticed.has(keyOf(pair)) || isSameModel(name, by.model) ? undefined : pair;
}

/**
Returns the provider's own name of a model. On Azure, the user chose this name for a deployment, so it identifies a
model only if a known model has this name. Otherwise the result is `undefined`, and only the deployment's first answer
names the model.
*/
function nameAsked(model: string, settings: Settings): string | undefined {
	const name = ownNameOf(model);
	if (wireOf(model, settings) !== 'azure') return name;
	const known = ['azure', 'openai'].map(provider => knownModel(`${provider}/${name.toLowerCase()}`));
	return known.some(each => each !== undefined) ? name : undefined;
}

function keyOf({asked, answered}: NamePair): string {
	return JSON.stringify([asked, answered]);
}

function stoppedBy(pair: NamePair): {readonly type: 'cancel'; readonly reason: string} {
	return {type: 'cancel', reason: stoppedText(pair)};
}

function stoppedText(pair: NamePair): string {
	return otherModelTexts.stopped(answeredText(pair, en));
}

/** Creates a notice, which inkpod does not send to the model. */
function noticeOf(about: typeof answeredTopic | typeof acceptedTopic, pair: NamePair, clock: Clock): Message {
	const sentence = answeredText(pair, en);
	const text = about === answeredTopic ? sentence : otherModelTexts.accepted(sentence);
	return stamp(clock, {type: 'message', role: 'system', text, origin: {kind: 'notice', about, sent: false, ...pair}});
}
