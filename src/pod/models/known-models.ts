import {z} from 'zod';
import type {Effort} from '../protocol.ts';
import {effortSchema} from '../protocol/effort.ts';
import list from './known-models.json' with {type: 'json'};

/** A model that inkpod knows by name. An absent fact is unknown. */
type KnownModel = {
	/** `provider/id`. */
	readonly name: string;
	readonly provider: string;
	/** The name of the model for the screen. */
	readonly label: string;
	/** The size of the context window, in tokens. */
	readonly window?: number;
	/** The maximum length of an answer, in tokens. */
	readonly maxOutput?: number;
	readonly readsImages: boolean;
	/** The levels of reasoning, from the least to the most. The list is empty for a model that does not reason. */
	readonly efforts: readonly Effort[];
	/** The prices in USD per million tokens. */
	readonly price?: {readonly input: number; readonly output: number; readonly cacheRead: number};
};

/** The data source of the list and its licence. */
export const knownModelsSource: string = list.source;

/** Returns all known models, by provider, the newest first. All of them call tools. */
export function knownModels(): readonly KnownModel[] {
	return [...byName().values()];
}

/** Looks up a model by its name `provider/id`. A dated snapshot that is not listed gets the facts of its base model. */
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

/**
Returns the models of one provider with the newest first, by the versions in their ids, because the data has no dates.
Models of the same vendor (`openai/gpt-5`) stay together, and those without a version come last.
*/
export function newestFirst<Model>(models: readonly Model[], idOf: (model: Model) => string): readonly Model[] {
	const vendors = new Map<string, number>();
	const keyed = models.map(model => {
		const id = idOf(model);
		const vendor = id.slice(0, Math.max(0, id.lastIndexOf('/')));
		if (!vendors.has(vendor)) vendors.set(vendor, vendors.size);
		return {model, vendor: vendors.get(vendor) ?? 0, version: versionOf(id.slice(id.lastIndexOf('/') + 1))};
	});
	return keyed
		.toSorted((one, other) => one.vendor - other.vendor || other.version - one.version)
		.map(({model}) => model);
}

/** Returns the first version in an id as one number: 5.04 for `gpt-5.4` and `claude-opus-5-4`. */
function versionOf(id: string): number {
	const plain = id
		.replaceAll(/20\d\d-?\d\d-?\d\d/g, '')
		.replaceAll(/\d+(?:\.\d+)?(?:x\d+)?[bk](?![a-z])/gi, '')
		.replaceAll(/\d{3,}/g, '');
	const found = /(\d{1,2})(?:[.p-](\d{1,2})(?!\d))?/.exec(plain);
	return found === null ? -1 : Number(found[1]) + Number(found[2] ?? 0) / 100;
}
