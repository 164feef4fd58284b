import type {Model, ModelDescription, Settings} from '../../worker/index.ts';
import type {ModelFacts} from '../ground/counts/catalogue.ts';

/**
`unusable`: the session's model cannot be used now, such as without its key. `moved`: its server has another address
than in the record, so the user has to agree first.
*/
export type ModelHold =
	/** `open` tries again. */
	| {
			readonly kind: 'unusable';
			readonly sentence: string;
			readonly recorded?: string | undefined;
			readonly open: () => Promise<OpenedModel>;
	  }
	| {
			readonly kind: 'moved';
			/** The address in the record, and the one that is configured now. */
			readonly from: string;
			readonly to: string;
			/** The same model without the hold. */
			readonly released: PodModel;
	  };

/** A model that the session can use. */
export type PodModel = {
	readonly name: string;
	/** Where its key is from, or why it needs none, as a text for the user. */
	readonly access?: string;
	/** Loads the model's provider. The first request calls it. */
	readonly load: () => Promise<Model>;
	/** The user's settings about models, by model name. */
	readonly facts?: Readonly<Record<string, ModelFacts>>;
	/** Asks the model's own server for a description of the model. */
	readonly describe?: () => Promise<ModelDescription | undefined>;
	/** The settings of the model's requests. They are part of the setup, so history contains them. */
	readonly settings?: Settings;
	/** Why nothing may be sent to the model yet. While it is set, `load` returns a model whose requests fail. */
	readonly hold?: ModelHold;
};

export type OpenedModel =
	| {readonly ok: true; readonly model: PodModel}
	/** A sentence for the user. `recorded`: the same in English, for a record or a model. */
	| {readonly ok: false; readonly sentence: string; readonly recorded?: string};
