import type {Item, ItemOf, Message, ToolResult} from './item.ts';
import type {OriginRules} from './origin-rules.ts';
import {tiesOf, type Ties} from './pairs.ts';
import {separatesAnswers} from './requests.ts';

/**
An item, and its place in the context. A dropped item keeps its place, and requests omit it. A pruned result has a line
instead of its output.
*/
export type Place = {
	readonly item: Item;
	readonly pinned?: true;
	readonly dropped?: true;
	readonly pruned?: true;
};

/** A history after its rewinds, compactions and context changes. */
export type Projection = {
	/**
	The first place is that of the last compaction that has an effect, and stands for its summary. Its kept items
	follow, then the files that it read again, the retained items, and everything later.
	*/
	readonly places: readonly Place[];
	/** Whether content is left out between the places. */
	readonly hasGaps: boolean;
	/** The number of items in the context that the last compaction summarised. */
	readonly summarised: number;
};

/**
Returns the items that are in the context. The result is a pure function of the history and is computed in linear time
(docs/context.md).

- A change has no effect if a `restore` names it, or if a later rewind removed it. So the function reads later changes
  first.
- `rewind`: the context becomes what it was right after the item `to`. A rewind to an unknown item has no effect.
- `compaction`: items before `firstKept` are left out, except `keptIds` and pinned items. `firstKept` may name the
  compaction itself, which then retains nothing.
- `context`: the last drop, pin, prune or restore of an item applies.
- The output of a stopped call is never in the context: the result that closes the call includes it.
- A call and its result stay or go together, and so do a thought and the items that it led to. If a compaction keeps one
  item of a pair, it keeps both. If one item of a pair is dropped, both are.
*/
export function project(items: readonly Item[], origins: Pick<OriginRules, 'compactionOf'>): Projection {
	const {live, ops, undone} = sentSurvey(items);
	if (keepsPlaces(live, ops)) return {places: live.map(item => ({item})), hasGaps: false, summarised: 0};
	const ties = tiesOf(live);
	const isPinned = ({id, type}: Item) => ops.get(id) === 'pin' && type !== 'reasoning';
	const {list, isCompacted, summarised} = compacted(live, {ties, isPinned, undone, origins});
	const isDropped = dropping(ties, ops);
	const places = list.map((item): Place => {
		if (isDropped(item)) return {item, dropped: true};
		if (isPinned(item)) return {item, pinned: true};
		return item.type === 'tool_result' && ops.get(item.id) === 'prune'
			? {item: prunedResult(item), pruned: true}
			: {item};
	});
	return {places, hasGaps: isCompacted || places.some(({dropped}) => dropped), summarised};
}

/**
Returns the items that no rewind removed, without undone changes. The result includes the rewinds that took effect.
*/
export function liveItems(items: readonly Item[]): readonly Item[] {
	return survey(items).live;
}

/**
Returns the items of the context in order, without the dropped ones. Do not keep the array: it may be `items` itself.
*/
export function projectedItems(items: readonly Item[], origins: Pick<OriginRules, 'compactionOf'>): readonly Item[] {
	const {live, ops} = sentSurvey(items);
	if (keepsPlaces(live, ops)) return live;
	return project(items, origins).places.flatMap(({item, dropped}) => (dropped ? [] : [item]));
}

/** Whether the context is these items in their order: no change concerns them. */
function keepsPlaces(live: readonly Item[], ops: ReadonlyMap<string, Op>): boolean {
	return ops.size === 0 && !live.some(({type}) => type === 'compaction');
}

/** Returns the result as it is in the context after a prune. The same result always becomes the same item. */
function prunedResult(result: ToolResult): ToolResult {
	const known = prunedResults.get(result);
	if (known !== undefined) return known;
	const pruned = {...result, content: prunedText(Buffer.byteLength(result.content))};
	prunedResults.set(result, pruned);
	return pruned;
}

const prunedResults = new WeakMap<ToolResult, ToolResult>();

/** What the model reads instead of a pruned output. */
function prunedText(bytes: number): string {
	return `[output left out: ${bytes} bytes]`;
}

function isPartial(item: Item): boolean {
	return item.type === 'tool_result' && item.partialOf !== undefined;
}

type Op = ItemOf<'context'>['op'];
type Survey = {
	readonly live: readonly Item[];
	/** The last change of each id. */
	readonly ops: ReadonlyMap<string, Op>;
	/** The ids of undone changes. */
	readonly undone: ReadonlySet<string>;
};

/** Surveys a history without the output of stopped calls. */
function sentSurvey(items: readonly Item[]): Survey {
	const surveyed = survey(items);
	const {live} = surveyed;
	return live.some(isPartial) ? {...surveyed, live: live.filter(item => !isPartial(item))} : surveyed;
}

/** Reads the history from its end, because no earlier item can change the effect of a later change. */
function survey(items: readonly Item[]): Survey {
	const ops = new Map<string, Op>();
	const undone = new Set<string>();
	if (!items.some(item => isChange(item))) return {live: items, ops, undone};
	const live: Item[] = [];
	for (let index = items.length - 1; index >= 0; index--) {
		const item = items[index];
		if (item === undefined) break;
		if (isChange(item) && ops.get(item.id) === 'restore') {
			undone.add(item.id);
			continue;
		}
		const to = item.type === 'rewind' ? indexBefore(items, item.to, index) : -1;
		if (item.type === 'rewind' && to === -1) continue;
		if (item.type === 'context') for (const id of item.ids) if (!ops.has(id)) ops.set(id, item.op);
		live.push(item);
		if (to !== -1) index = to + 1;
	}
	return {live: live.reverse(), ops, undone};
}

function isChange({type}: Item): boolean {
	return type === 'rewind' || type === 'compaction' || type === 'context';
}

function indexBefore(items: readonly Item[], id: string, end: number): number {
	for (let index = end - 1; index >= 0; index--) if (items[index]?.id === id) return index;
	return -1;
}

type CompactionRules = {
	readonly ties: Ties;
	readonly isPinned: (item: Item) => boolean;
	readonly undone: ReadonlySet<string>;
	readonly origins: Pick<OriginRules, 'compactionOf'>;
};

type Compacted = {readonly list: readonly Item[]; readonly isCompacted: boolean; readonly summarised: number};

/** Returns the items in the order of the context. Each compaction works on the result of the previous one. */
function compacted(live: readonly Item[], {ties, isPinned, undone, origins}: CompactionRules): Compacted {
	let current: string | undefined;
	let summarised = 0;
	/**
	The head contains the summary, kept items and files that were read again. The tail contains retained and later
	items.
	*/
	let [head, tail]: [Item[], Item[]] = [[], []];
	for (const [index, item] of live.entries()) {
		if (item.type === 'compaction') {
			const cut = cutOf(item, head, tail, live.slice(0, index));
			if (cut === undefined) continue;
			const isKept = (one: Item) => isPinned(one) || item.keptIds.includes(one.id);
			const kept = keptOf(cut.before, new Set(cut.after), {ties, isKept});
			summarised = cut.before.filter(isContent).length - kept.filter(isContent).length;
			[head, tail, current] = [[item, ...kept], cut.after, item.id];
			continue;
		}
		const compaction = item.type === 'message' ? compactionOf(item, origins) : undefined;
		if (compaction !== undefined && compaction === current) head.push(item);
		else if (compaction === undefined || !undone.has(compaction)) tail.push(item);
	}
	return {list: [...head, ...tail], isCompacted: current !== undefined, summarised};
}

function compactionOf({origin}: Message, origins: Pick<OriginRules, 'compactionOf'>): string | undefined {
	return origin === undefined ? undefined : origins.compactionOf(origin);
}

type Cut = {readonly before: readonly Item[]; readonly after: Item[]};

/** Returns where a compaction cuts the context. Returns `undefined` if its `firstKept` names no earlier item. */
function cutOf(
	{id, firstKept}: ItemOf<'compaction'>,
	head: readonly Item[],
	tail: readonly Item[],
	earlier: readonly Item[],
): Cut | undefined {
	const all = [...head, ...tail];
	if (firstKept === id) return {before: all, after: []};
	const at = all.findIndex(item => item.id === firstKept);
	if (at !== -1) return {before: all.slice(0, at), after: all.slice(at)};
	// The item is no longer in the context: a compaction that was undone had read it again, or another compaction
	// summarised it. Everything after the compaction stays.
	const then = earlier.findLastIndex(item => item.id === firstKept);
	if (then === -1) return undefined;
	const later = new Set(earlier.slice(then + 1));
	const from = tail.findIndex(item => later.has(item));
	const after = from === -1 ? [] : tail.slice(from);
	return {before: all.slice(0, all.length - after.length), after};
}

/** Returns the summarised items that stay, and the ends of their answers, which separate them. */
function keptOf(
	before: readonly Item[],
	after: ReadonlySet<Item>,
	{ties, isKept}: {readonly ties: Ties; readonly isKept: (item: Item) => boolean},
): Item[] {
	const stays = (item: Item): boolean => {
		const partner = ties.partners.get(item);
		return after.has(item) || isKept(item) || (partner !== undefined && (isKept(partner) || after.has(partner)));
	};
	const kept = before.filter(
		item =>
			isContent(item) &&
			item.type !== 'compaction' &&
			(item.type === 'reasoning' ? ties.ledTo.get(item)?.some(one => stays(one)) : stays(item)),
	);
	if (kept.length === 0) return [];
	const keeps = new Set(kept);
	return before.filter(item => keeps.has(item) || separatesAnswers(item));
}

/** The types of items that a request may contain. */
export const contentTypes: ReadonlySet<Item['type']> = new Set([
	'message',
	'reasoning',
	'tool_call',
	'tool_result',
	'compaction',
]);

function isContent({type}: Item): boolean {
	return contentTypes.has(type);
}

const droppedTypes: ReadonlySet<Item['type']> = new Set(['message', 'tool_call', 'tool_result']);

function dropping({partners, ledTo}: Ties, ops: ReadonlyMap<string, Op>): (item: Item) => boolean {
	const isNamed = (item: Item | undefined) =>
		item !== undefined && ops.get(item.id) === 'drop' && droppedTypes.has(item.type);
	const isGone = (item: Item) => isNamed(item) || isNamed(partners.get(item));
	return item => (item.type === 'reasoning' ? (ledTo.get(item)?.every(one => isGone(one)) ?? false) : isGone(item));
}
