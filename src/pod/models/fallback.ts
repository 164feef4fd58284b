import {
	moment,
	stamp,
	type Clock,
	type Draft,
	type History,
	type Interceptor,
	type ModelFailureReason,
	type Model,
} from '../../worker/index.ts';
import type {Alert} from '../protocol.ts';
import type {Asks} from '../permissions/approval/asks.ts';
import {asStandIn} from '../ground/history/recorded.ts';
import type {CurrentModel, PodModel, ModelHold} from './current-model.ts';
import {effortOf} from './effort.ts';
import type {Models} from './models.ts';
import {providerOf} from './provider-of.ts';
import {fallbackTexts, holdTexts} from './texts.ts';

type FallbackOptions = {
	readonly history: History;
	readonly clock: Clock;
	readonly current: CurrentModel;
	readonly models: Pick<Models, 'open' | 'fallbacks'> | undefined;
	/** Returns the setup of the next request. */
	readonly setup: () => Promise<Draft<'setup'>>;
	readonly onAlert: (alert: Alert) => void;
	/** Absent if no user can answer. In this case, only the user's configuration decides. */
	readonly asks?: Asks | undefined;
};

/** Uses other models while the chosen model is overloaded or down. */
export type Fallback = {
	/** Returns to the chosen model at the start of a run, if that model failed long enough ago. */
	begin(): void;
	/** Creates the interceptor of the run that the signal stops. Each model of the list is tried once. */
	interceptor(signal: AbortSignal): Required<Pick<Interceptor, 'onRequestFailure'>>;
};

export function createFallback(options: FallbackOptions): Fallback {
	const {history, clock, current, models, setup, onAlert} = options;
	let failedAt = 0;
	/** The user's answer about each model of another provider. It is valid for the whole session. */
	const answers = new Map<string, boolean>();

	/** Asks the user once before inkpod sends a session to another provider. */
	async function maySend({name}: PodModel, why: string, signal: AbortSignal): Promise<boolean> {
		const {asks} = options;
		if (asks === undefined || providerOf(name) === providerOf(current.chosen().name)) return true;
		const known = answers.get(name);
		if (known !== undefined) return known;
		const {title, detail, choices} = fallbackTexts;
		const answer = await asks.ask({title: title(name), detail: detail(why), choices}, signal);
		if (answer !== undefined) answers.set(name, answer.choice === 'send');
		return answer?.choice === 'send';
	}

	return {
		begin() {
			if (!current.isFallback() || moment(clock) - failedAt < returnAfterMs) return;
			current.restore();
			onAlert({level: 'info', text: fallbackTexts.restored(current.get().name)});
		},
		interceptor(signal) {
			const tried = new Set<string>();
			return {
				async onRequestFailure({reason, retryable, message}) {
					if (!isDown(reason, retryable)) return {type: 'fail'};
					tried.add(current.get().name);
					for (const name of models?.fallbacks ?? []) {
						if (tried.has(name)) continue;
						tried.add(name);
						const opened = await models?.open(name, effortOf(current.get()), {isFallback: true});
						if (opened?.ok !== true) {
							onAlert({level: 'warn', text: opened?.sentence ?? ''});
							continue;
						}
						if (!(await maySend(opened.model, message, signal))) continue;
						const model = await opened.model.load();
						failedAt = moment(clock);
						const settings = asStandIn(opened.model.settings ?? {}, current.chosen().name);
						current.fallBack({...opened.model, settings});
						await history.append([stamp(clock, await setup())]);
						onAlert({level: 'warn', text: fallbackTexts.switched(message, opened.model.name)});
						return {type: 'retry', model};
					}
					return {type: 'fail'};
				},
			};
		},
	};
}

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
Releases a blocked model before a turn. It tries again to open an unusable model, because the key may be stored by now.
If the server has another address, it asks the user. If no user can answer, inkpod sends nothing.
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

/** Returns a model whose requests fail with `message`. inkpod sends nothing to its server. */
export function refusingModel(name: string, message: string): Model {
	return {
		name,
		async *stream() {
			yield {type: 'error', error: {reason: 'unauthorized', message, retryable: false}};
		},
	};
}

/**
After a model was down, inkpod does not return to the model for this number of milliseconds, because the retries would
delay every turn.
*/
const returnAfterMs = 5 * 60_000;

/**
Tells whether a server is overloaded or down. The result is false for lasting problems, such as a refused key, missing
credit or a bad request.
*/
function isDown(reason: ModelFailureReason, retryable: boolean): boolean {
	return downReasons.has(reason) || (reason === 'rate_limited' && retryable);
}

const downReasons: ReadonlySet<ModelFailureReason> = new Set(['overloaded', 'unreachable', 'stalled', 'cut']);

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
