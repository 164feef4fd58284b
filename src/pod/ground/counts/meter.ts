import {setImmediate as turn, setTimeout as wait} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import {answerEnd, foldOf, type History, type ModelDescription} from '../../../worker/index.ts';
import type {ContextUse, Item, ModelSpending} from '../../protocol.ts';
import {lookUpModel, type ModelFacts} from './catalogue.ts';
import type {Projection} from './context-sum.ts';
import {wholeUsage} from '../../protocol/whole-usage.ts';
import type {Cost, PriceList} from '../../protocol/cost.ts';
import {createSpent, endedSpending, paidItems, sumSpending, totalCost, type EndedChild} from './spent.ts';
import {estimateItem} from './estimate.ts';
import type {CountsSetting} from './server-counts.ts';
import {contextSize, countedSize, isCountTrusted, type ContextSize} from './usage.ts';

type MeterOptions = {
	readonly history: History;
	readonly project: Projection;
	/** Returns the model of the next request. */
	readonly model: () => MeteredModel;
	/**
	The function that is called when the size of the context changes or becomes known, unless there is nothing to send.
	*/
	readonly onUse: (use: ContextUse) => void;
	/** The function that is called when the prices change. */
	readonly onPrices: () => void;
	/**
	The function that is called with the items that `addBeside` adds. The parent of a child adds them to its own cost.
	*/
	readonly onBeside?: ((items: readonly Item[]) => void) | undefined;
};

type MeteredModel = {
	readonly name: string;
	/** The user's own facts about models, by model name. They have precedence. */
	readonly facts?: Readonly<Record<string, ModelFacts>> | undefined;
	/** Asks the model's own server about the model. */
	readonly describe?: (() => Promise<ModelDescription | undefined>) | undefined;
};

/** Measures the next request and the cost of the session. */
export type Meter = {
	/** Returns the prices of all models in history and of the next request's model. */
	prices(): PriceList;
	/** Returns the model's window in tokens, if it is known. */
	window(): number | undefined;
	/** Returns the user's setting for the token counts of the model. */
	counts(): CountsSetting | undefined;
	/** Returns the tokens and the cost of the session, by model. */
	spending(): readonly ModelSpending[];
	/**
	Adds requests that are not in the history, such as those of a child, a side question or a compaction. They add to
	the cost, but not to the size of the context.
	*/
	addBeside(items: readonly Item[]): void;
	/** Adds the requests that the children and other conversations of the session made before this process started. */
	addFamily(family: FamilyRequests): void;
	/** Returns the part of `spending` that `addFamily` added. */
	earlier(): readonly ModelSpending[];
	/** Measures again, because the next request has another model. */
	changeModel(): void;
	/** Asks the model's server for an unknown window, once before the first answer. Waits only a short time. */
	learnWindow(): Promise<void>;
	/** Asks the model's server once more after the next answer, because its window may have changed. */
	askAgain(): void;
	close(): void;
};

/** Creates a meter. It measures a long history in slices, so that other work can run between them. */
export function createMeter({history, project, model, onUse, onPrices, onBeside}: MeterOptions): Meter {
	const family = createFamilySums();
	const facts = createKnownFacts(model, {items: () => [...history.items, ...family.items()], names: family.names});
	const spent = createSpent(history.items.length);
	let isMeasured = false;
	let isClosed = false;
	let use: ContextUse | undefined;

	function spending(): readonly ModelSpending[] {
		const prices = facts.prices();
		const own = spent(history.items, prices);
		return sumSpending([own, family.beside(prices), family.earlier(prices)]);
	}

	function renew(): void {
		const areNewPrices = facts.renew();
		update();
		if (areNewPrices && !isClosed) onPrices();
	}

	function update(): void {
		if (isClosed) return;
		const size = isMeasured ? contextSize(history.items, project, facts.counts()) : earlySize(history.items);
		if (size === undefined) return;
		const cost = totalCost(spending());
		const next = useOf(size, {window: facts.window(), cost, cached: cachedShare(history.items)});
		if (isDeepStrictEqual(next, use)) return;
		use = next;
		onUse(next);
	}

	const server = createServerQuestions(model, (name, description) => {
		if (isClosed) return;
		const areNewPrices = facts.add(name, description);
		update();
		if (areNewPrices) onPrices();
	});
	const stop = history.observe(item => {
		// A batch of items is measured together, because a batch may contain thousands of items.
		if (item === history.items.at(-1)) update();
		if (isCounted(item)) server.ask();
	});
	update();
	void estimateInSlices(history.items, () => isClosed).then(() => {
		isMeasured = true;
		update();
	});
	return {
		prices: facts.prices,
		window: facts.window,
		counts: facts.counts,
		spending,
		earlier: () => family.earlier(facts.prices()),
		addBeside(items) {
			const paid = paidItems(items);
			family.addBeside(paid);
			onBeside?.(paid);
			renew();
		},
		addFamily(found) {
			family.addEarlier(found);
			renew();
		},
		changeModel() {
			facts.renew();
			update();
		},
		learnWindow: async () => (facts.window() === undefined ? server.askEarly() : undefined),
		askAgain: () => server.askAgain(),
		close() {
			isClosed = true;
			stop();
		},
	};
}

/** The questions to the server of the current model. */
type ServerQuestions = {
	/** Asks once after an answer, without waiting for the result. */
	ask(): void;
	/** Asks once before an answer, and waits a short time. The server may not have loaded its model yet. */
	askEarly(): Promise<void>;
	askAgain(): void;
};

function createServerQuestions(
	model: MeterOptions['model'],
	onFound: (name: string, description: ModelDescription) => void,
): ServerQuestions {
	const [asked, askedEarly] = [new Set<string>(), new Set<string>()];
	async function describe(): Promise<void> {
		const {name, describe: ask} = model();
		const description = await ask?.();
		if (description !== undefined) onFound(name, description);
	}
	return {
		ask() {
			if (asked.has(model().name)) return;
			asked.add(model().name);
			void describe();
		},
		async askEarly() {
			const {name, describe: ask} = model();
			if (ask === undefined || asked.has(name) || askedEarly.has(name)) return;
			askedEarly.add(name);
			await Promise.race([describe(), wait(earlyMs, undefined, {ref: false})]);
		},
		askAgain: () => asked.clear(),
	};
}

/** The requests that a session's children and other conversations made before this process started. */
type FamilyRequests = {readonly items: readonly Item[]; readonly ended: readonly EndedChild[]};

/** The requests that are not in the history: the requests of this process, and the requests of earlier processes. */
type FamilySums = {
	readonly items: () => readonly Item[];
	readonly names: () => readonly string[];
	addBeside(items: readonly Item[]): void;
	addEarlier(family: FamilyRequests): void;
	readonly beside: (prices: PriceList) => readonly ModelSpending[];
	readonly earlier: (prices: PriceList) => readonly ModelSpending[];
};

function createFamilySums(): FamilySums {
	const [own, earlier, ended]: [Item[], Item[], EndedChild[]] = [[], [], []];
	const spentOwn = createSpent(Number.POSITIVE_INFINITY);
	const spentEarlier = createSpent(Number.POSITIVE_INFINITY);
	return {
		items: () => [...own, ...earlier],
		names: () => ended.map(({model}) => model),
		addBeside: items => void own.push(...items),
		addEarlier(family) {
			earlier.push(...family.items);
			ended.push(...family.ended);
		},
		beside: prices => spentOwn(own, prices),
		earlier: prices => sumSpending([spentEarlier(earlier, prices), endedSpending(ended, prices)]),
	};
}

type KnownFacts = {
	readonly prices: () => PriceList;
	readonly window: () => number | undefined;
	readonly counts: () => CountsSetting | undefined;
	/** Adds the facts from a model's own server. Returns whether prices have changed. */
	add(name: string, description: ModelDescription): boolean;
	/** Looks up the prices of all models again. Returns whether prices have changed. */
	renew(): boolean;
};

type Known = {readonly items: () => readonly Item[]; readonly names: () => readonly string[]};

function createKnownFacts(model: MeterOptions['model'], {items, names}: Known): KnownFacts {
	const described = new Map<string, ModelFacts>();
	const factsOf = (name: string): ModelFacts => ({
		...lookUpModel(name),
		...described.get(name),
		...model().facts?.[name],
	});
	let {window} = factsOf(model().name);
	let prices = pricesOf([model().name, ...names()], items(), factsOf);
	const renew = (): boolean => {
		const before = prices;
		({window} = factsOf(model().name));
		prices = pricesOf([model().name, ...names()], items(), factsOf);
		return !isDeepStrictEqual(prices, before);
	};
	return {
		prices: () => prices,
		window: () => window,
		counts: () => factsOf(model().name).counts,
		renew,
		add(name, description) {
			described.set(name, {
				...(description.window !== undefined && {window: description.window}),
				...(description.prices !== undefined && {prices: [description.prices]}),
			});
			return renew();
		},
	};
}

/**
Returns the size of the next request if the provider's count alone determines it. The meter uses this size before all
texts are estimated.
*/
function earlySize(items: readonly Item[]): ContextSize | undefined {
	return isCountTrusted(items) ? countedSize(items) : undefined;
}

type UseParts = {
	readonly window: number | undefined;
	readonly cost: Cost;
	readonly cached: number | undefined;
};

function useOf(size: ContextSize, {window, cost, cached}: UseParts): ContextUse {
	return {
		...size,
		...(window !== undefined && {window}),
		...(cached !== undefined && {cached}),
		...(cost.known > 0 && {cost}),
	};
}

/** Returns the known prices of the models in these items, and of the models in `more`. */
export function pricesOf(
	more: readonly string[],
	items: readonly Item[],
	facts: (name: string) => ModelFacts,
): PriceList {
	const names = new Set([
		...more,
		...items.flatMap(item => (item.type === 'request' || item.type === 'compaction' ? [item.model] : [])),
	]);
	return Object.fromEntries(
		[...names].flatMap(name => {
			const known = facts(name).prices;
			return known === undefined ? [] : [[name, known]];
		}),
	);
}

function cachedShare(items: readonly Item[]): number | undefined {
	const {input = 0, cacheRead} = wholeUsage(answerEnd(lastCounted(items))?.usage ?? {});
	return cacheRead === undefined || input === 0 ? undefined : Math.min(1, cacheRead / input);
}

const lastCounted = foldOf<Item | undefined>(
	() => undefined,
	(last, item) => (isCounted(item) ? item : last),
);

function isCounted(item: Item): boolean {
	return answerEnd(item)?.usage.input !== undefined;
}

/** The maximum time that the first request waits for the answer of its server about the window, in milliseconds. */
const earlyMs = 300;

/** The number of characters that are measured in one step. A step takes about two milliseconds. */
const sliceLength = 262_144;

async function estimateInSlices(items: readonly Item[], isClosed: () => boolean): Promise<void> {
	let walked = 0;
	for (const item of items) {
		estimateItem(item);
		walked += lengthOf(item);
		if (walked < sliceLength) continue;
		walked = 0;
		await turn();
		if (isClosed()) return;
	}
}

function lengthOf(item: Item): number {
	return item.type === 'message' || item.type === 'reasoning'
		? item.text.length
		: item.type === 'tool_result'
			? item.content.length
			: item.type === 'tool_call'
				? item.arguments.length
				: 0;
}
