import {aliasesOf, isRouter} from './model-aliases.ts';

/**
Tells whether a server that was asked for one model answered with the same model. Both names are in the provider's own
form. Servers name the same model in several ways: with the prefix of a router (`openai/`, `models/`), with the date of
a snapshot, with other separators, or with the name behind an alias. Two different dates are two different models.
*/
export function isSameModel(asked: string, answered: string): boolean {
	if (asked.toLowerCase() === answered.toLowerCase() || isRouter(asked.toLowerCase())) return true;
	const found = partsOf(answered);
	return [asked, ...aliasesOf(partsOf(asked).base)].some(name => areSame(partsOf(name), found));
}

type NameParts = {
	/** The model's name without a prefix, a tag and a date. */
	readonly base: string;
	/** The vendor or the router before the name. Empty if there is none, or if it says nothing about the model. */
	readonly vendor: string;
	/** The words of the name in alphabetical order. OpenRouter has `claude-4.5-sonnet` for `claude-sonnet-4.5`. */
	readonly words: readonly string[];
	/** The numbers of the name in their order: `4 5` for `4.5` and for `4-5`. */
	readonly numbers: string;
	/** The digits of the date of a snapshot. */
	readonly date: string;
	/** Whether the name stands for the newest snapshot. */
	readonly isLatest: boolean;
	readonly tag: string;
};

function partsOf(name: string): NameParts {
	const segments = name.toLowerCase().trim().split('/');
	const {vendor: inName, rest} = withoutVendors(segments.at(-1) ?? '');
	const [plain = '', ...tags] = rest
		.replace(/\.gguf$/, '')
		.replace(/-v\d+:[\d:]+k?$/, '')
		.split(':');
	const isLatest = /[-@](?:latest|default)$/.test(plain) || tags.includes('latest');
	const {date, base} = withoutDate(plain.replace(/[-@](?:latest|default)$/, ''));
	const tokens = base.split(/[-._@ ]+/).filter(token => token !== '');
	return {
		base,
		vendor: inName === '' ? vendorIn(segments.slice(0, -1)) : inName,
		words: tokens.filter(token => !isNumber(token)).toSorted(),
		numbers: tokens.filter(isNumber).join(' ').replace(/ 0+$/, ''),
		date,
		isLatest,
		tag: tags.filter(tag => !sameTags.has(tag) && !routers.has(tag)).join(':'),
	};
}

/** Removes the region and the vendor of Bedrock: `us.anthropic.claude-…`. */
function withoutVendors(name: string): {readonly vendor: string; readonly rest: string} {
	let [vendor, rest] = ['', name];
	for (let at = 0; at < 3; at++) {
		const [found, own] = /^([a-z][a-z-]*)\.(?=[a-z])/.exec(rest) ?? [];
		if (found === undefined || own === undefined) break;
		vendor = own;
		rest = rest.slice(found.length);
	}
	return {vendor, rest};
}

/** Folders of an API, as in `publishers/google/models/NAME`, say nothing about the model. */
function vendorIn(folders: readonly string[]): string {
	const last = folders.at(-1) ?? '';
	return last === 'models' || last.startsWith('arn:') ? '' : last;
}

/** The forms of the dates of snapshots. */
const dates = [
	// 2025-08-07, 20250807
	String.raw`20\d\d-[01]\d-[0-3]\d`,
	String.raw`20\d\d[01]\d[0-3]\d`,
	// 09-2025, 05-20
	String.raw`[01]\d-20\d\d`,
	String.raw`[01]\d-[0-3]\d`,
	// 0613 (month and day), 2411 (year and month), and 001, a number of Gemini
	String.raw`(?:0[1-9]|1[0-2])[0-3]\d`,
	String.raw`2[3-9](?:0[1-9]|1[0-2])`,
	String.raw`00\d`,
];
const dateForms = new RegExp(`[-@](${dates.join('|')})(?=$|-)`);

function withoutDate(name: string): {readonly date: string; readonly base: string} {
	const [found, date = ''] = dateForms.exec(name) ?? [];
	return {date: date.replaceAll('-', ''), base: found === undefined ? name : name.replace(found, '')};
}

function isNumber(token: string): boolean {
	return /^\d+$/.test(token);
}

function areSame(asked: NameParts, answered: NameParts): boolean {
	if (!areVendorsAlike(asked.vendor, answered.vendor) || asked.tag !== answered.tag) return false;
	if (!areDatesAlike(asked, answered)) return false;
	if (asked.numbers === answered.numbers && areEqual(asked.words, answered.words)) return true;
	// `gemini-flash-latest` stands for the newest model of a family.
	const words = answered.words.filter(word => !stages.has(word));
	return asked.isLatest && asked.numbers === '' && areEqual(asked.words, words);
}

/** A name without a date stands for each of its snapshots. But the newest snapshot may have another date. */
function areDatesAlike(asked: NameParts, answered: NameParts): boolean {
	if (asked.date === '') return true;
	if (answered.date === '') return !answered.isLatest;
	return asked.date.endsWith(answered.date) || answered.date.endsWith(asked.date);
}

/** `deepseek` and `deepseek-ai` are alike, and a provider may pass on the model of any vendor. */
function areVendorsAlike(one: string, other: string): boolean {
	if (routers.has(one) || routers.has(other)) return true;
	return one.startsWith(other) || other.startsWith(one);
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
	return one.length === other.length && one.every((word, at) => word === other[at]);
}

/** Tags that choose a server or a snapshot and not a model (openrouter.ai/docs/guides/routing/model-variants). */
const sameTags: ReadonlySet<string> = new Set([
	'latest',
	'free',
	'nitro',
	'floor',
	'online',
	'exacto',
	'extended',
	'thinking',
	'beta',
	'fastest',
	'cheapest',
]);

const stages: ReadonlySet<string> = new Set(['preview', 'exp', 'experimental']);

/** Providers that serve the models of other vendors. */
const routers: ReadonlySet<string> = new Set([
	'openrouter',
	'azure',
	'bedrock',
	'vertex',
	'groq',
	'cerebras',
	'together',
	'fireworks',
]);
