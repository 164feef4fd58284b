import {z} from 'zod';
import type {Effort} from '../protocol.ts';
import {effortSchema} from '../protocol/effort.ts';
import {newestFirst} from './newest-first.ts';
import list from './known-models.json' with {type: 'json'};

/** A model that inkpod knows by name. An absent fact is unknown. */
export type KnownModel = {
	/** `provider/id`. */
	readonly name: string;
	readonly provider: string;
	/** The name for people. */
	readonly label: string;
	/** Tokens. */
	readonly window?: number;
	/** Tokens. */
	readonly maxOutput?: number;
	readonly readsImages: boolean;
	/** The levels of reasoning, from the least to the most. It is empty for a model that does not reason. */
	readonly efforts: readonly Effort[];
	/** USD per million tokens. */
	readonly price?: {readonly input: number; readonly output: number; readonly cacheRead: number};
};

/** The data source of the list and its licence. */
export const knownModelsSource: string = list.source;

/** Returns all known models, by provider, the newest first. All of them call tools. */
export function knownModels(): readonly KnownModel[] {
	return [...byName().values()];
}

/** Looks up a model by its name `provider/id`. A dated snapshot that is not listed has the facts of its model. */
export function knownModel(name: string): KnownModel | undefined {
	return byName().get(name) ?? byName().get(name.replace(/[-@]20\d\d-?[01]\d-?[0-3]\d$/u, ''));
}

/** The models are read from the list when they are first needed. */
function byName(): ReadonlyMap<string, KnownModel> {
	models ??= new Map(
		Object.entries(list.providers).flatMap(([provider, lines]) =>
			newestFirst(
				lines.map(line => modelOf(provider, lineSchema.parse(line))),
				({name}) => name.slice(provider.length + 1),
			).map((model): [string, KnownModel] => [model.name, model]),
		),
	);
	return models;
}

let models: ReadonlyMap<string, KnownModel> | undefined;

/** A line of the list in the format of `scripts/known-models.mjs`. */
type Line = z.infer<typeof lineSchema>;
const lineSchema = z.tuple([
	z.string(),
	z.string(),
	z.number(),
	z.number(),
	z.string(),
	z.string(),
	z.union([z.tuple([z.number(), z.number(), z.number(), z.number()]), z.tuple([])]),
]);

function modelOf(provider: string, [id, label, window, maxOutput, abilities, efforts, prices]: Line): KnownModel {
	const [input, output, cacheRead] = prices;
	return {
		name: `${provider}/${id}`,
		provider,
		label,
		...(window > 0 && {window}),
		...(maxOutput > 0 && {maxOutput}),
		readsImages: abilities.includes('i'),
		efforts: efforts === '' ? [] : efforts.split(' ').map(level => effortSchema.parse(level)),
		...(input !== undefined && output !== undefined && {price: {input, output, cacheRead: cacheRead ?? input}}),
	};
}
