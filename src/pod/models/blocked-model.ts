import type {Model} from '../../worker/index.ts';
import type {Asks} from '../permissions/approval/asks.ts';
import type {CurrentModel} from './current-model.ts';
import type {ModelHold, PodModel} from './pod-model.ts';
import {holdTexts} from './texts.ts';

/** Returns a model to which nothing is sent until `confirmModel` has released it. */
export function blockedModel(
	name: string,
	hold: ModelHold,
	known: Pick<PodModel, 'facts' | 'settings'> = {},
): PodModel {
	const {facts, settings} = known;
	const sentence =
		hold.kind === 'unusable' ? (hold.recorded ?? hold.sentence) : holdTexts.moved(name, hold.from, hold.to);
	return {name, facts, settings, hold, load: async () => refusingModel(name, sentence)};
}

export type ModelConfirmed =
	| {readonly ok: true}
	| {readonly ok: false; readonly code: 'model' | 'aborted'; readonly sentence: string};

/**
Releases a held model before a turn. A model that could not be used is tried again: its key may be stored by now. If its
server has another address, the user is asked. Without a user nothing is sent.
*/
export async function confirmModel(
	{get, choose}: Pick<CurrentModel, 'get' | 'choose'>,
	asks: Asks | undefined,
	signal: AbortSignal,
): Promise<ModelConfirmed> {
	const {hold, name} = get();
	if (hold === undefined) return {ok: true};
	if (hold.kind === 'moved') return askAboutServer(name, hold, {choose, asks, signal});
	const opened = await hold.open();
	if (!opened.ok) return {ok: false, code: 'model', sentence: holdTexts.unusable(opened.sentence)};
	choose(opened.model, false);
	return confirmModel({get, choose}, asks, signal);
}

type Asking = Pick<CurrentModel, 'choose'> & {readonly asks: Asks | undefined; readonly signal: AbortSignal};

async function askAboutServer(
	name: string,
	{from, to, released}: Extract<ModelHold, {kind: 'moved'}>,
	{choose, asks, signal}: Asking,
): Promise<ModelConfirmed> {
	if (asks === undefined) return {ok: false, code: 'model', sentence: holdTexts.moved(name, from, to)};
	const {title, choices} = holdTexts;
	const answer = await asks.ask({title: title(to), detail: holdTexts.detail(name, from, to), choices}, signal);
	if (answer === undefined) return {ok: false, code: 'aborted', sentence: holdTexts.notSent};
	if (answer.choice !== 'send') return {ok: false, code: 'model', sentence: holdTexts.notSent};
	choose(released, false);
	return {ok: true};
}

/** Returns a model to which nothing is sent. Its requests fail with the sentence. */
export function refusingModel(name: string, message: string): Model {
	return {
		name,
		async *stream() {
			yield {type: 'error', error: {reason: 'unauthorized', message, retryable: false}};
		},
	};
}
