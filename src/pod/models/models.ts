import type {Effort, ModelInfo} from '../protocol.ts';
import type {OpenedModel} from './pod-model.ts';

/** The models that the user can choose in an open session. */
export type Models = {
	/**
	Opens a model by its name, with an effort. Without an effort it has its own. `isFallback`: the user did not choose it.
	*/
	open(name: string, effort: Effort | undefined, how?: {readonly isFallback?: boolean}): Promise<OpenedModel>;
	/** The names of the models that are used while the chosen one is overloaded or down. */
	readonly fallbacks?: readonly string[];
	/** Saves the default model. Resolves with a sentence when this fails. */
	save(name: string, effort: Effort | undefined): Promise<string | undefined>;
	/** Checks and stores the key of a provider. The models that are opened afterwards use it. */
	login(provider: string, key: string): Promise<{readonly ok: boolean; readonly sentence: string}>;
	/** Lists the models. `asksLocal`: it asks the servers on this machine, which can take a quarter of a second. */
	list(asksLocal: boolean, signal?: AbortSignal): Promise<readonly ModelInfo[]>;
};
