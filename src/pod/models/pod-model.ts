import type {Model, ModelDescription, Settings} from '../../worker/index.ts';
import type {ModelFacts} from '../context/catalogue.ts';

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
};
