import {z} from 'zod';
import {effortSchema} from './effort.ts';
import type {Immutable} from './immutable.ts';

const usd = z.number().nonnegative();
const tokens = z.number().int().positive();

/** A model in the list of models. Names from servers and files are untrusted. */
export type ModelInfo = Immutable<z.infer<typeof modelInfoSchema>>;
export const modelInfoSchema = z.object({
	/** The name for `--model`, as `provider/id`. */
	name: z.string(),
	provider: z.string(),
	/** The name of the model for the screen. */
	label: z.string().optional(),
	window: tokens.optional(),
	/** The prices in USD per million tokens. A model on this machine costs nothing. */
	price: z.object({input: usd, output: usd}).optional(),
	/** The environment variable that contains the key. It is absent if no variable contains a key for this model. */
	keyVariable: z.string().optional(),
	/** The place where the key is stored, if it is not in an environment variable. */
	keyPlace: z.enum(['keychain', 'file']).optional(),
	/** The end of a sentence that says what the model lacks. If it is absent, the user can choose the model. */
	missing: z.string().optional(),
	/** The levels of reasoning, from the least to the most. */
	efforts: z.array(effortSchema),
	readsImages: z.boolean().optional(),
	/** Whether the model runs on this machine. */
	isLocal: z.boolean().optional(),
	/** Whether the user configured the address of the model's server. */
	isOwn: z.boolean().optional(),
	/** The position in the list of recently used models, from 0. */
	recent: z.number().int().nonnegative().optional(),
});

/**
The servers that inkpod asks for their models. `known`: none. `local`: the servers on this machine, for a quarter of a
second. `soon`: also the servers that the user configured, and the list contains the answers of the first 300 ms. `all`:
the same servers, until each has answered or timed out.
*/
export type AskedServers = z.infer<typeof askedServersSchema>;
export const askedServersSchema = z.enum(['known', 'local', 'soon', 'all']);
