import {z} from 'zod';
import {effortSchema} from './effort.ts';
import type {Immutable} from './immutable.ts';

const usd = z.number().nonnegative();
const tokens = z.number().int().positive();

/** A model in the list of models. Names from servers and files are untrusted. */
export type ModelInfo = Immutable<z.infer<typeof modelInfoSchema>>;
export const modelInfoSchema = z.object({
	/** `provider/id`, as `--model` takes it. */
	name: z.string(),
	provider: z.string(),
	/** The name for people. */
	label: z.string().optional(),
	window: tokens.optional(),
	/** USD per million tokens. A model on this machine costs nothing. */
	price: z.object({input: usd, output: usd}).optional(),
	/** The variable that contains the key. It is absent if the model needs none, or has none. */
	keyVariable: z.string().optional(),
	/** Where the key is stored, if it is not in a variable. */
	keyPlace: z.enum(['keychain', 'file']).optional(),
	/** The missing thing, as the end of a sentence. The model can be used if it is absent. */
	missing: z.string().optional(),
	/** The levels of reasoning, from the least to the most. */
	efforts: z.array(effortSchema),
	readsImages: z.boolean().optional(),
	/** It runs on this machine. */
	isLocal: z.boolean().optional(),
	/** The user configured the address of its server. */
	isOwn: z.boolean().optional(),
	/** The place among the models that were used last, from 0. */
	recent: z.number().int().nonnegative().optional(),
});

/**
The servers that a list of models asks. `known`: none. `local`: those on this machine, for a quarter of a second.
`soon`: also the user's own servers, and the list has what came within 300 ms. `all`: the same, and waits until they
answered or their time is over.
*/
export type AskedServers = z.infer<typeof askedServersSchema>;
export const askedServersSchema = z.enum(['known', 'local', 'soon', 'all']);
