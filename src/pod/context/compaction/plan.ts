import {estimateMedia, pairResults, type Item, type ItemOf, type Message} from '../../../worker/index.ts';
import {mediaIn} from '../../ground/history/media-of.ts';
import {contextPieces, projectedItems} from '../../ground/history/reader.ts';
import {contentOf} from '../ledger/ledger.ts';
import {lastReadIn} from '../../references/instructions/find.ts';
import {narrowOrigin, type UnfinishedCompactions, narrowDetails} from '../../protocol.ts';
import {usageOf} from './sum-usage.ts';
import {resolve} from 'node:path';
import {diskPath} from '../../scope/disk-path.ts';
import type {Scope} from '../../scope/scope.ts';

type PlanOptions = {
	/** The number of tokens of history that the compaction keeps verbatim. */
	readonly retainedTokens: number;
	/** Estimates the tokens of a text. */
	readonly estimate: (text: string) => number;
};

/** The plan of a compaction. `nothing`: the context has no part to summarise. */
export type Plan =
	| {
			readonly ok: true;
			/** The first item of the retained tail. */
			readonly firstKept: string;
			/** The kept items before the tail, in the order of the context. */
			readonly keptIds: readonly string[];
			/** The items that the summary replaces, in the order of the context. They include an earlier summary. */
			readonly summarised: readonly Item[];
			/** The number of tokens of the summarised items. */
			readonly tokens: number;
	  }
	| {readonly ok: false; readonly reason: 'nothing'};

/**
Plans a compaction. The function is pure: the plan depends only on its arguments. The retained tail has at most
`retainedTokens` tokens, but it always contains the last message or answer. The cut before the tail does not separate a
call from its result, an answer from its beginning, or a message from its attachments. The plan summarises the result of
an earlier compaction again.
*/
export function planCompaction(items: readonly Item[], {retainedTokens, estimate}: PlanOptions): Plan {
	const list = projectedItems(items);
	const sizes = sizesOf(items, estimate);
	const sizeOf = (item: Item) => sizes.tokens.get(item) ?? 0;
	const headEnd = list.filter(isOfHead(items, list[0])).length;
	const cut = chooseCut(list, headEnd, {retainedTokens, sizeOf});
	const first = cut === undefined ? undefined : list[cut];
	if (cut === undefined || first === undefined) return {ok: false, reason: 'nothing'};
	const before = list.slice(0, cut);
	const kept = keptOf(list, {cut, headEnd, pinned: sizes.pinned, sizeOf, room: retainedTokens});
	const summarised = before.filter(item => sizes.tokens.has(item) && !kept.has(item));
	const left = new Set(list.slice(0, headEnd));
	if (summarised.every(item => left.has(item))) return {ok: false, reason: 'nothing'};
	return {
		ok: true,
		firstKept: first.id,
		keptIds: before.filter(item => kept.has(item)).map(({id}) => id),
		summarised,
		tokens: sumOf(summarised, sizeOf),
	};
}

/** Adds the conversation of one compaction that did not finish. */
export function addUnfinished(
	{compactions, requests, input, output}: UnfinishedCompactions,
	items: readonly Item[],
): UnfinishedCompactions {
	const usage = usageOf(items);
	const sent = items.filter(({type}) => type === 'request').length;
	const [read, written] = [sum(input, usage.input), sum(output, usage.output)];
	return {
		compactions: compactions + 1,
		requests: requests + sent,
		input: read,
		output: written,
	};
}

export const noUnfinished: UnfinishedCompactions = {compactions: 0, requests: 0};

/** A file that history mentions, and its last use. `path` is the path as the user or the model wrote it. */
export type TouchedFile = {readonly path: string; readonly how: 'attached' | 'read' | 'edited' | 'read again'};

/**
Returns the files that these items attach, read or change. The list contains each file once, latest first, and at most
`max` files. Paths are relative to `pwd`.
*/
export function touchedFiles(
	items: readonly Item[],
	{scope, max}: {readonly scope: Place; readonly max: number},
): readonly TouchedFile[] {
	const found = new Map<string, TouchedFile>();
	for (const item of items.toReversed()) {
		if (found.size >= max) break;
		for (const {real, ...file} of touchesOf(item, scope))
			if (!found.has(real) && found.size < max) found.set(real, file);
	}
	return [...found.values()];
}

type Sizes = {readonly tokens: ReadonlyMap<Item, number>; readonly pinned: ReadonlySet<Item>};

/** Estimates the tokens of each item that the next request contains, and finds the pinned items. */
function sizesOf(items: readonly Item[], estimate: (text: string) => number): Sizes {
	const sent = contextPieces(items).pieces.flatMap(({item, part, pinned}) =>
		item === undefined || part === undefined
			? []
			: [{item, tokens: estimate(contentOf(part)) + mediaTokens(item), pinned}],
	);
	return {
		tokens: new Map(sent.map(({item, tokens}) => [item, tokens])),
		pinned: new Set(sent.filter(({pinned}) => pinned).map(({item}) => item)),
	};
}

function mediaTokens(item: Item): number {
	const media = mediaIn(item);
	return media === undefined ? 0 : estimateMedia(media);
}

/**
Returns a test that accepts the items of an earlier compaction: its summary, its kept items, and the files that it read
again.
*/
function isOfHead(items: readonly Item[], first: Item | undefined): (item: Item) => boolean {
	if (first?.type !== 'compaction') return () => false;
	const retainedFrom = items.findIndex(({id}) => id === first.firstKept);
	const replaced = new Set(items.slice(0, Math.max(retainedFrom, 0)).map(({id}) => id));
	return item =>
		item === first ||
		(item.type === 'message' && item.origin?.kind === 'auto_read' && item.origin['compaction'] === first.id) ||
		replaced.has(item.id);
}

type Sizing = {readonly retainedTokens: number; readonly sizeOf: (item: Item) => number};

/**
Returns the first possible cut whose tail fits, or else the last possible cut. Returns `undefined` if all new items fit.
*/
function chooseCut(list: readonly Item[], headEnd: number, {retainedTokens, sizeOf}: Sizing): number | undefined {
	if (sumOf(list.slice(headEnd), sizeOf) <= retainedTokens) return undefined;
	const parts = partedAt(list);
	let size = 0;
	let chosen: number | undefined;
	for (const [index, item] of [...list.entries()].slice(headEnd + 1).toReversed()) {
		size += sizeOf(item);
		if (chosen !== undefined && size > retainedTokens) break;
		if (parts[index] === 0 && beginsSomething(item, list[index - 1])) chosen = index;
	}
	return chosen;
}

/** For each item, counts the calls that a cut before the item would separate from their results. */
function partedAt(list: readonly Item[]): readonly number[] {
	const pairs = [...pairResults(list)];
	const calls = new Set<Item>(pairs.map(([call]) => call));
	const results = new Set<Item>(pairs.map(([, result]) => result));
	let open = 0;
	return list.map(item => {
		const before = open;
		if (calls.has(item)) open += 1;
		if (results.has(item)) open -= 1;
		return before;
	});
}

function beginsSomething(item: Item, before: Item | undefined): boolean {
	if (
		item.type === 'reasoning' ||
		item.type === 'tool_call' ||
		(item.type === 'message' && item.role === 'assistant')
	)
		return before === undefined || !isOfAnswer(before);
	return item.type === 'message' && !(item.role === 'system' && attached.has(item.origin?.kind ?? ''));
}

function isOfAnswer(item: Item): boolean {
	return (
		item.type === 'reasoning' || item.type === 'tool_call' || (item.type === 'message' && item.role === 'assistant')
	);
}

/** The origins of items that belong to the message or call before them. */
const attached: ReadonlySet<string> = new Set([
	'file',
	'editor',
	'dir',
	'image',
	'document',
	'web',
	'resource',
	'prompt',
	'workflow',
	'knowledge',
]);

type Keeping = {
	readonly cut: number;
	readonly headEnd: number;
	readonly pinned: ReadonlySet<Item>;
	readonly sizeOf: (item: Item) => number;
	readonly room: number;
};

/** Returns the kept items: pinned items, current instructions, active workflows, and the user's last message. */
function keptOf(list: readonly Item[], {cut, headEnd, pinned, sizeOf, room}: Keeping): ReadonlySet<Item> {
	const before = new Set(list.slice(0, cut));
	const words = list.findLast(item => item.type === 'message' && item.role === 'user');
	return new Set(
		[
			...[...pinned].filter(({type}) => type !== 'reasoning' && type !== 'compaction'),
			...instructionsInForce(list),
			...followed(list, headEnd, {sizeOf, room}),
			...(words !== undefined && sizeOf(words) <= room / 2 ? [words] : []),
		].filter(item => before.has(item)),
	);
}

function instructionsInForce(list: readonly Item[]): readonly Item[] {
	const latest = new Map<string, Message>();
	for (const item of list) {
		const origin = item.type === 'message' ? narrowOrigin(item.origin) : undefined;
		if (item.type === 'message' && origin?.kind === 'instructions') latest.set(origin.file ?? origin.path, item);
	}
	const standing = lastReadIn([...latest.values()]);
	return [...latest].filter(([file]) => standing.get(file)?.gone !== true).map(([, item]) => item);
}

/**
Returns the items of the workflow invocations that the model may still be following. These are the last invocation,
which is always included, and the last invocation of each workflow since the previous compaction. The newest invocations
come first, as many as fit.
*/
function followed(
	list: readonly Item[],
	headEnd: number,
	{sizeOf, room}: {readonly sizeOf: (item: Item) => number; readonly room: number},
): readonly Item[] {
	const invocations = invocationsIn(list);
	let left = room;
	const seen = new Set<string>();
	return invocations.toReversed().flatMap(({slug, items, last}, index) => {
		const size = sumOf(items, sizeOf);
		const isWanted = index === 0 || (last >= headEnd && !seen.has(slug) && size <= left);
		if (!isWanted) return [];
		seen.add(slug);
		left -= size;
		return items;
	});
}

type Invocation = {readonly slug: string; readonly items: Array<ItemOf<'message'>>; last: number};

/** Returns the invocations in the order of their last items. */
function invocationsIn(list: readonly Item[]): readonly Invocation[] {
	const found = new Map<string, Invocation>();
	for (const [index, item] of list.entries()) {
		const origin = item.type === 'message' ? narrowOrigin(item.origin) : undefined;
		if (item.type !== 'message' || (origin?.kind !== 'workflow' && origin?.kind !== 'knowledge')) continue;
		const known: Invocation = found.get(origin.invocation) ?? {
			slug: origin.kind === 'workflow' ? origin.slug : origin.workflow,
			items: [],
			last: index,
		};
		found.set(origin.invocation, known);
		known.items.push(item);
		known.last = index;
	}
	return [...found.values()].toSorted((a, b) => a.last - b.last);
}

function sumOf(items: readonly Item[], sizeOf: (item: Item) => number): number {
	return items.reduce((sum, item) => sum + sizeOf(item), 0);
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
	return one === undefined ? other : one + (other ?? 0);
}

/** The folders that the code needs to resolve paths. */
type Place = Pick<Scope, 'pwd' | 'home'>;

function touchesOf(item: Item, scope: Place): ReadonlyArray<TouchedFile & {readonly real: string}> {
	if (item.type === 'tool_result') {
		const {read, changed = []} = narrowDetails(item.details);
		return [
			...changed.toReversed().map(({path, real}) => ({path, real, how: 'edited' as const})),
			...(read === undefined ? [] : [{path: read.path, real: read.real, how: 'read' as const}]),
		];
	}
	const origin = item.type === 'message' && item.role === 'system' ? narrowOrigin(item.origin) : undefined;
	if (origin?.kind !== 'file' && origin?.kind !== 'auto_read') return [];
	// A user writes the refs, so `~/` in a ref is the user's home folder.
	const path = origin.kind === 'file' ? diskPath(origin.path, scope) : origin.path;
	return [{path, real: resolve(scope.pwd, path), how: origin.kind === 'file' ? 'attached' : 'read again'}];
}
