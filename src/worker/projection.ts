import type {Item, ItemOf, Message} from './item.ts';
import type {OriginRules} from './origin-rules.ts';
import {tiesOf, type Ties} from './pairs.ts';
import {separatesAnswers} from './requests.ts';

/** An item at its place in the context. A dropped item keeps its place, and requests omit it. */
export type Place = {readonly item: Item; readonly pinned?: true; readonly dropped?: true};

/** A history after its rewinds, compactions and context changes. */
export type Projection = {
	/**
	The first place is the last compaction that takes effect; it represents its summary. Its kept items follow, then the
	files that it read again, the retained items, and everything later.
	*/
	readonly places: readonly Place[];
	/** Whether something is left out between the places. */
	readonly hasGaps: boolean;
	/** How many items of the context the last compaction summarised. */
	readonly summarised: number;
};

/**
Returns the items that are in the context. It is a pure function of history and takes linear time (docs/context.md).

- A change has no effect if a `restore` names it, or if a later rewind removed it. So the function reads later changes
  first.
- `rewind`: the context becomes what it was right after the item `to`. A rewind to an unknown item has no effect.
- `compaction`: items before `firstKept` are left out, except `keptIds` and pinned items. `firstKept` may name the
  compaction itself, which then retains nothing.
- `context`: the last drop, pin or restore of an item counts.
- The output of a stopped call is never in the context: the result that closes the call includes it.
- A call and its result stay or go together, and so do a thought and the items that it led to. If a compaction keeps one
  of a pair, it keeps both. A drop drops both.
*/
export function project(items: readonly Item[], origins: Pick<OriginRules, 'compactionOf'>): Projection {
	const {live: happened, ops, undone} = survey(items);
	const live = happened.some(isPartial) ? happened.filter(item => !isPartial(item)) : happened;
	if (ops.size === 0 && !live.some(({type}) => type === 'compaction'))
		return {places: live.map(item => ({item})), hasGaps: false, summarised: 0};
	const ties = tiesOf(live);
	const isPinned = ({id, type}: Item) => ops.get(id) === 'pin' && type !== 'reasoning';
	const {list, isCompacted, summarised} = compacted(live, {ties, isPinned, undone, origins});
	const isDropped = dropping(ties, ops);
	const places = list.map((item): Place =>
		isDropped(item) ? {item, dropped: true} : isPinned(item) ? {item, pinned: true} : {item},
	);
	return {places, hasGaps: isCompacted || places.some(({dropped}) => dropped), summarised};
}

/** Returns the items that no rewind removed, without undone changes. It includes the rewinds that took effect. */
export function liveItems(items: readonly Item[]): readonly Item[] {
	return survey(items).live;
}

/** Returns the items of the context in order, without the dropped ones. */
export function projectedItems(items: readonly Item[], origins: Pick<OriginRules, 'compactionOf'>): readonly Item[] {
	return project(items, origins).places.flatMap(({item, dropped}) => (dropped ? [] : [item]));
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

/** Reads the history from its end, because no earlier item can alter a later change. */
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
	// The item is not in the context any more: an undone compaction had read it again, or another one summarised it.
	// Everything after it stays.
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

const contentTypes: ReadonlySet<Item['type']> = new Set([
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
