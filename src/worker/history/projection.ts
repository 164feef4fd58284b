import {foldOf} from './fold.ts';
import type {Item, ItemOf, Message, ToolResult} from './item.ts';
import type {OriginRules} from './origin-rules.ts';
import {tiesOf, type Ties} from './pairs.ts';
import {separatesAnswers} from './requests.ts';

/**
An item, and its place in the context. A dropped item keeps its place, but requests omit it. In a pruned result, a line
replaces the output.
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
	If a compaction is in effect, the first place is the summary of the last such compaction. The kept items of that
	compaction, the files that it read again, the retained items and all later items follow in this order.
	*/
	readonly places: readonly Place[];
	/** Whether content is left out between the places. */
	readonly hasGaps: boolean;
	/** The number of context items that the last compaction summarised. */
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
- An item with the output of a stopped call (`partialOf`) is never in the context, because the result that closes the
  call includes the output.
- A call and its result are always kept or left out together. The same applies to a thought and the items that it led
  to. If a compaction keeps one item of a pair, it keeps both. If one item of a pair is dropped, both are.
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
Returns the items of the context in order, without dropped items. Do not keep the array: it may be `items` itself.
*/
export function projectedItems(items: readonly Item[], origins: Pick<OriginRules, 'compactionOf'>): readonly Item[] {
	const {live, ops} = sentSurvey(items);
	if (keepsPlaces(live, ops)) return live;
	return project(items, origins).places.flatMap(({item, dropped}) => (dropped ? [] : [item]));
}

/** Tells whether the context consists of exactly these items in their order, because no change affects them. */
function keepsPlaces(live: readonly Item[], ops: ReadonlyMap<string, Op>): boolean {
	return ops.size === 0 && !traitsOf(live).isCompacted;
}

/** Returns a pruned result in the form that the context contains. The same result always becomes the same item. */
function prunedResult(result: ToolResult): ToolResult {
	const known = prunedResults.get(result);
	if (known !== undefined) return known;
	const pruned = {...result, content: prunedText(Buffer.byteLength(result.content))};
	prunedResults.set(result, pruned);
	return pruned;
}

const prunedResults = new WeakMap<ToolResult, ToolResult>();

/** Returns the text that the model reads instead of a pruned output. */
function prunedText(bytes: number): string {
	return `[output left out: ${bytes} bytes]`;
}

export function isPartial(item: Item): boolean {
	return item.type === 'tool_result' && item.partialOf !== undefined;
}

type Op = ItemOf<'context'>['op'];
type Survey = {
	readonly live: readonly Item[];
	/** The last operation on each item, by the id of the item. */
	readonly ops: ReadonlyMap<string, Op>;
	/** The ids of undone changes. */
	readonly undone: ReadonlySet<string>;
};

/** Does the same as `survey`, but leaves out the items that contain the output of stopped calls. */
function sentSurvey(items: readonly Item[]): Survey {
	const surveyed = survey(items);
	const {live} = surveyed;
	return traitsOf(live).hasPartials ? {...surveyed, live: live.filter(item => !isPartial(item))} : surveyed;
}

/** Reads the history from its end, because no earlier item can change the effect of a later change. */
function survey(items: readonly Item[]): Survey {
	const ops = new Map<string, Op>();
	const undone = new Set<string>();
	if (!traitsOf(items).isChanged) return {live: items, ops, undone};
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

type Traits = {readonly isChanged: boolean; readonly isCompacted: boolean; readonly hasPartials: boolean};

/** Most histories have none of these traits. In this case, all items are in the context. */
const traitsOf = foldOf<Traits>(
	() => ({isChanged: false, isCompacted: false, hasPartials: false}),
	(traits, item) => {
		if (isPartial(item)) return traits.hasPartials ? traits : {...traits, hasPartials: true};
		if (!isChange(item) || (traits.isChanged && item.type !== 'compaction')) return traits;
		return {...traits, isChanged: true, isCompacted: traits.isCompacted || item.type === 'compaction'};
	},
);

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
	const list = new CompactedList(live, ties, isPinned);
	for (const [index, item] of live.entries()) {
		if (item.type === 'compaction') {
			list.compact(item, index);
			continue;
		}
		const compaction = item.type === 'message' ? compactionOf(item, origins) : undefined;
		if (compaction !== undefined && compaction === list.current) list.addRead(item);
		else if (compaction === undefined || !undone.has(compaction)) list.add(item);
	}
	return {list: list.items(), isCompacted: list.current !== undefined, summarised: list.summarised};
}

function compactionOf({origin}: Message, origins: Pick<OriginRules, 'compactionOf'>): string | undefined {
	return origin === undefined ? undefined : origins.compactionOf(origin);
}

type Cut = {readonly before: readonly Item[]; readonly after: Item[]};

/**
The context while compactions are applied. The time that a compaction takes depends on the number of items that it
summarises.
*/
class CompactedList {
	/** The id of the last compaction that had an effect. */
	current: string | undefined;
	summarised = 0;
	readonly #live: readonly Item[];
	readonly #ties: Ties;
	readonly #isPinned: (item: Item) => boolean;
	readonly #positions: Positions;
	/** The summary, kept items, and files that were read again. */
	#head: Item[] = [];
	/** Retained and later items. */
	#tail: Item[] = [];
	/** The items of `#head` and `#tail`. */
	readonly #members = new Set<Item>();

	constructor(live: readonly Item[], ties: Ties, isPinned: (item: Item) => boolean) {
		this.#live = live;
		this.#ties = ties;
		this.#isPinned = isPinned;
		this.#positions = new Positions(live);
	}

	items(): readonly Item[] {
		return [...this.#head, ...this.#tail];
	}

	add(item: Item): void {
		this.#tail.push(item);
		this.#members.add(item);
	}

	/** Adds a file that the last compaction read again. */
	addRead(item: Item): void {
		this.#head.push(item);
		this.#members.add(item);
	}

	/** Applies the compaction at an index of the history. */
	compact(item: ItemOf<'compaction'>, index: number): void {
		const cut = this.#cutOf(item, index);
		if (cut === undefined) return;
		for (const one of cut.before) this.#members.delete(one);
		const keptIds = new Set(item.keptIds);
		const kept = this.#keptOf(cut.before, one => this.#isPinned(one) || keptIds.has(one.id));
		this.summarised = cut.before.filter(isContent).length - kept.filter(isContent).length;
		this.#head = [item, ...kept];
		this.#tail = cut.after;
		for (const one of this.#head) this.#members.add(one);
		this.current = item.id;
	}

	/**
	Returns the items before and after the place where a compaction cuts the context. Returns `undefined` if its
	`firstKept` does not name an earlier item.
	*/
	#cutOf({id, firstKept}: ItemOf<'compaction'>, index: number): Cut | undefined {
		const [head, tail] = [this.#head, this.#tail];
		if (firstKept === id) return {before: this.items(), after: []};
		const then = this.#positions.lastBefore(firstKept, index);
		if (then === undefined) return undefined;
		const inHead = this.#indexIn(head, firstKept, then);
		if (inHead !== -1) return {before: head.slice(0, inHead), after: [...head.slice(inHead), ...tail]};
		const inTail = this.#indexIn(tail, firstKept, then);
		if (inTail !== -1) return {before: [...head, ...tail.slice(0, inTail)], after: tail.slice(inTail)};
		// The item is no longer in the context: a compaction that was undone had read it again, or another compaction
		// summarised it. All items after this item's position in the history stay.
		const from = tail.findIndex(item => this.#positions.of(item) > then);
		const end = from === -1 ? tail.length : from;
		return {before: [...head, ...tail.slice(0, end)], after: tail.slice(end)};
	}

	/**
	Returns the index of an item in a list, or -1. Ids repeat only in a damaged history. In all other histories,
	`indexOf` with the item object is fastest.
	*/
	#indexIn(list: readonly Item[], id: string, position: number): number {
		if (this.#positions.areRepeated) return list.findIndex(item => item.id === id);
		const item = this.#live[position];
		return item === undefined ? -1 : list.indexOf(item);
	}

	/**
	Returns the summarised items that stay in the context, and the items that separate their answers. `#members`
	contains the retained items.
	*/
	#keptOf(before: readonly Item[], isKept: (item: Item) => boolean): Item[] {
		const {partners, ledTo} = this.#ties;
		const members = this.#members;
		const stays = (item: Item): boolean => {
			const partner = partners.get(item);
			return (
				members.has(item) ||
				isKept(item) ||
				(partner !== undefined && (isKept(partner) || members.has(partner)))
			);
		};
		const kept = before.filter(
			item =>
				isContent(item) &&
				item.type !== 'compaction' &&
				(item.type === 'reasoning' ? ledTo.get(item)?.some(one => stays(one)) : stays(item)),
		);
		if (kept.length === 0) return [];
		const keeps = new Set(kept);
		return before.filter(item => keeps.has(item) || separatesAnswers(item));
	}
}

/** The positions of items in a history. They are computed when a compaction first needs them. */
class Positions {
	readonly #items: readonly Item[];
	readonly #byId = new Map<string, number>();
	#byItem: ReadonlyMap<Item, number> | undefined;
	#end = 0;
	areRepeated = false;

	constructor(items: readonly Item[]) {
		this.#items = items;
	}

	/** Returns the last position of an id before `end`. `end` must not decrease from call to call. */
	lastBefore(id: string, end: number): number | undefined {
		for (; this.#end < end; this.#end++) {
			const item = this.#items[this.#end];
			if (item === undefined) break;
			if (this.#byId.has(item.id)) this.areRepeated = true;
			this.#byId.set(item.id, this.#end);
		}
		return this.#byId.get(id);
	}

	of(item: Item): number {
		this.#byItem ??= new Map(this.#items.map((one, index) => [one, index]));
		return this.#byItem.get(item) ?? -1;
	}
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
