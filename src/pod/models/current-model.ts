import type {Model, ModelDescription, Settings} from '../../worker/index.ts';
import type {ModelFacts} from '../ground/counts/catalogue.ts';

/** The model of a session. A job keeps the model that it began with. */
export type CurrentModel = {
	/** Returns the model of the next request. */
	readonly get: () => PodModel;
	/** Chooses another model. While a job runs, the choice waits for the end of the job. */
	readonly choose: (model: PodModel, isBusy: boolean) => void;
	/** Puts a waiting choice into effect. The caller calls it at the end of each job. */
	readonly settle: () => void;
	/** Replaces the chosen model immediately, until `restore` or another choice. */
	readonly fallBack: (model: PodModel) => void;
	readonly isFallback: () => boolean;
	/** Returns the chosen model, even while another model replaces it. */
	readonly chosen: () => PodModel;
	/** Returns to the chosen model. */
	readonly restore: () => void;
};

type CurrentModelOptions = {
	/** The function that is called when the model has changed. */
	readonly onChange: (model: PodModel) => void;
	/** The function that is called with the waiting model, and with `undefined` when no model is waiting any more. */
	readonly onWaiting: (model: PodModel | undefined) => void;
};

export function createCurrentModel(first: PodModel, {onChange, onWaiting}: CurrentModelOptions): CurrentModel {
	let current = first;
	let waiting: PodModel | undefined;
	/** The chosen model while another model replaces it. */
	let replaced: PodModel | undefined;

	function change(model: PodModel): void {
		if (waiting !== undefined) onWaiting(undefined);
		waiting = undefined;
		replaced = undefined;
		current = model;
		onChange(model);
	}

	return {
		get: () => current,
		choose(model, isBusy) {
			if (!isBusy) return change(model);
			waiting = model;
			onWaiting(model);
		},
		settle() {
			if (waiting !== undefined) change(waiting);
		},
		fallBack(model) {
			replaced ??= current;
			current = model;
			onChange(model);
		},
		isFallback: () => replaced !== undefined,
		chosen: () => replaced ?? current,
		restore() {
			if (replaced === undefined) return;
			[current, replaced] = [replaced, undefined];
			onChange(current);
		},
	};
}

/**
The reason why inkpod must not send anything to a model yet. `unusable`: the session's model cannot be used now, for
example because its key is missing. `moved`: its server has another address than in the record, so the user has to agree
first.
*/
export type ModelHold =
	/** `open` tries to open the model again. */
	| {
			readonly kind: 'unusable';
			readonly sentence: string;
			readonly recorded?: string | undefined;
			readonly open: () => Promise<OpenedModel>;
	  }
	| {
			readonly kind: 'moved';
			/** The address in the record, and the address that is configured now. */
			readonly from: string;
			readonly to: string;
			/** The same model without the hold. */
			readonly released: PodModel;
	  };

/** A model that the session can use. */
export type PodModel = {
	readonly name: string;
	/** The source of its key, or the reason why it needs no key, as a text for the user. */
	readonly access?: string;
	/** Loads the model's provider. The first request calls it. */
	readonly load: () => Promise<Model>;
	/** The user's settings about models, by model name. */
	readonly facts?: Readonly<Record<string, ModelFacts>>;
	/** Asks the model's own server for a description of the model. */
	readonly describe?: () => Promise<ModelDescription | undefined>;
	/** The settings of the model's requests. They are part of the setup, so history contains them. */
	readonly settings?: Settings;
	/**
	The reason why inkpod must not send anything to the model yet. While it is set, `load` returns a model whose
	requests fail.
	*/
	readonly hold?: ModelHold;
};

export type OpenedModel =
	| {readonly ok: true; readonly model: PodModel}
	/** A sentence for the user. `recorded`: the same sentence in English, for a record or a model. */
	| {readonly ok: false; readonly sentence: string; readonly recorded?: string};
