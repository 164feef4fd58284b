import type {AskedServers, Effort, ModelInfo} from '../protocol.ts';
import type {OpenedModel} from './current-model.ts';
import {providerFacts} from '../../worker/index.ts';
import type {ModelChoice} from '../config/model-choice.ts';
import {keySourceText} from './keys/source-text.ts';
import {isLoopback} from './loopback-servers.ts';
import {accessTexts} from './texts.ts';

/** The models that the user can choose in an open session. */
export type Models = {
	/**
	Opens a model by its name, with an effort. If no effort is given, the model uses its default effort. `isFallback`:
	the user did not choose the model.
	*/
	open(name: string, effort: Effort | undefined, how?: {readonly isFallback?: boolean}): Promise<OpenedModel>;
	/** The names of the models that are used while the chosen model is overloaded or down. */
	readonly fallbacks?: readonly string[];
	/** Saves the default model. Resolves with a sentence when this fails. */
	save(name: string, effort: Effort | undefined): Promise<string | undefined>;
	/** Checks and stores the key of a provider. The models that are opened afterwards use it. */
	login(provider: string, key: string): Promise<{readonly ok: boolean; readonly sentence: string}>;
	/** Lists the models. */
	list(asked: AskedServers, signal?: AbortSignal): Promise<readonly ModelInfo[]>;
};

/**
Returns a text about the source of a chosen model's key, or about why the model needs no key. Returns `undefined` for a
built-in model, which has no server, and for a model with a cloud login, which is not a key.
*/
export function modelAccess({spec, keySource}: Chosen): string | undefined {
	if (keySource !== undefined) return keySourceText(keySource);
	const facts = providerFacts(spec.provider, spec.server);
	if (facts?.local === true && (spec.baseURL === undefined || isLoopback(spec.baseURL))) return accessTexts.local;
	return facts?.wire === 'openai-compatible' ? accessTexts.noKey : undefined;
}

type Chosen = Pick<Extract<ModelChoice, {readonly ok: true}>, 'spec' | 'keySource'>;
