import type {Item, ItemOf} from './item.ts';
import {tiesOf, type Ties} from './pairs.ts';

/** An item in its place in the context. What is dropped keeps its place and is not sent. */
export type Place = {readonly item: Item; readonly pinned?: true; readonly dropped?: true};

/** What a history comes to once its rewinds, compactions and context changes are applied. */
export type Projection = {
	/**
	The last compaction that holds comes first and stands for its summary; then what it kept, what it read again, the
	retained tail, and what came after.
	*/
	readonly places: readonly Place[];
	/** Something is left out between the places. */
	readonly hasGaps: boolean;
	/** How many items that were in the context the last compaction's summary stands for. */
	readonly summarised: number;
};

/**
The items that are in the context: a pure function of history, and linear in it (docs/context.md).

- Later acts are looked at first: an act that a `restore` names, or that a later rewind took away, has not happened.
- `rewind`: the context is what it was right after the item `to`, and goes on from there. Without such an item it does
nothing.
- `compaction`: what stands before `firstKept` is left out but for `keptIds` and what is pinned. `firstKept` may be the
compaction itself: then nothing is retained.
- `context`: of an item's drops, pins and restores the last one counts.
- The output of a stopped call is never in it: what closes the call has it.
- A call and its result stay or go together, and a thought with what it led to. A compaction keeps both of a pair of
which it keeps one; a drop drops both.
*/
export function project(items: readonly Item[]): Projection {
	const {live: happened, ops, undone} = survey(items);
	const live = happened.some(isPartial) ? happened.filter(item => !isPartial(item)) : happened;
	if (ops.size === 0 && !live.some(({type}) => type === 'compaction'))
		return {places: live.map(item => ({item})), hasGaps: false, summarised: 0};
	const ties = tiesOf(live);
	const isPinned = ({id, type}: Item) => ops.get(id) === 'pin' && type !== 'reasoning';
	const {list, isCompacted, summarised} = compacted(live, {ties, isPinned, undone});
	const isDropped = dropping(ties, ops);
	const places = list.map((item): Place =>
		isDropped(item) ? {item, dropped: true} : isPinned(item) ? {item, pinned: true} : {item},
	);
	return {places, hasGaps: isCompacted || places.some(({dropped}) => dropped), summarised};
}

/**
The items that no rewind took away, with the rewinds that hold and without the acts that are undone: what happened, as
far as the conversation is concerned.
*/
export function liveItems(items: readonly Item[]): readonly Item[] {
	return survey(items).live;
}

/** The items of the context, in its order, without what is dropped. */
export function projectedItems(items: readonly Item[]): readonly Item[] {
	return project(items).places.flatMap(({item, dropped}) => (dropped ? [] : [item]));
}

function isPartial(item: Item): boolean {
	return item.type === 'tool_result' && item.partialOf !== undefined;
}

type Op = ItemOf<'context'>['op'];
type Survey = {
	readonly live: readonly Item[];
	/** The last word on each id. */ readonly ops: ReadonlyMap<string, Op>;
	/** Ids of the compactions that are. */ readonly undone: ReadonlySet<string>;
};

/** From the end: nothing that comes later can change what a later act says. */
function survey(items: readonly Item[]): Survey {
	const ops = new Map<string, Op>();
	const undone = new Set<string>();
	if (!items.some(item => isAct(item))) return {live: items, ops, undone};
	const live: Item[] = [];
	for (let index = items.length - 1; index >= 0; index--) {
		const item = items[index]!;
		if (isAct(item) && ops.get(item.id) === 'restore') {
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

function isAct({type}: Item): boolean {
	return type === 'rewind' || type === 'compaction' || type === 'context';
}

function indexBefore(items: readonly Item[], id: string, end: number): number {
	for (let index = end - 1; index >= 0; index--) if (items[index]!.id === id) return index;
	return -1;
}

type Keeping = {readonly ties: Ties; readonly isPinned: (item: Item) => boolean; readonly undone: ReadonlySet<string>};

/** The order of the context. Each compaction works on what the one before it left. */
function compacted(
	live: readonly Item[],
	{ties, isPinned, undone}: Keeping,
): {readonly list: readonly Item[]; readonly isCompacted: boolean; readonly summarised: number} {
	let current: string | undefined;
	let summarised = 0;
	/** Summary, what is kept, what was read again; and what is retained or came after. */
	let [head, tail]: [Item[], Item[]] = [[], []];
	for (const [index, item] of live.entries()) {
		const cut = item.type === 'compaction' ? cutOf(item, head, tail, live.slice(0, index)) : undefined;
		if (item.type === 'compaction' && cut !== undefined) {
			const kept = keptOf(cut.before, new Set(cut.after), {
				ties,
				isKept: one => isPinned(one) || item.keptIds.includes(one.id),
			});
			summarised = cut.before.filter(one => isContent(one)).length - kept.filter(one => isContent(one)).length;
			[head, tail, current] = [[item, ...kept], cut.after, item.id];
		} else if (item.type === 'compaction') continue;
		else if (item.type !== 'message' || item.origin?.kind !== 'auto_read') tail.push(item);
		else if (current !== undefined && item.origin['compaction'] === current) head.push(item);
		else if (!undone.has(String(item.origin['compaction']))) tail.push(item);
	}
	return {list: [...head, ...tail], isCompacted: current !== undefined, summarised};
}

/** Where a compaction cuts what is in the context. `undefined`: it names nothing that was ever before it. */
function cutOf(
	{id, firstKept}: ItemOf<'compaction'>,
	head: readonly Item[],
	tail: readonly Item[],
	earlier: readonly Item[],
): {readonly before: readonly Item[]; readonly after: Item[]} | undefined {
	const all = [...head, ...tail];
	if (firstKept === id) return {before: all, after: []};
	const at = all.findIndex(item => item.id === firstKept);
	if (at !== -1) return {before: all.slice(0, at), after: all.slice(at)};
	// It was read again by a compaction that is undone, or summarised: what came after it stays.
	const then = earlier.findLastIndex(item => item.id === firstKept);
	if (then === -1) return undefined;
	const later = new Set(earlier.slice(then + 1));
	const from = tail.findIndex(item => later.has(item));
	const after = from === -1 ? [] : tail.slice(from);
	return {before: all.slice(0, all.length - after.length), after};
}

/** What stays of the part that is summarised, and the edges of the answers in it, which keep them apart. */
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
	return before.filter(item => keeps.has(item) || item.type === 'request' || item.type === 'run_end');
}

function isContent({type}: Item): boolean {
	return (
		type === 'message' ||
		type === 'reasoning' ||
		type === 'tool_call' ||
		type === 'tool_result' ||
		type === 'compaction'
	);
}

function dropping({partners, ledTo}: Ties, ops: ReadonlyMap<string, Op>): (item: Item) => boolean {
	const isNamed = ({id, type}: Item | {readonly id: string; readonly type: ''}) =>
		ops.get(id) === 'drop' && (type === 'message' || type === 'tool_call' || type === 'tool_result');
	const isGone = (item: Item) => isNamed(item) || isNamed(partners.get(item) ?? {id: '', type: ''});
	return item => (item.type === 'reasoning' ? (ledTo.get(item)?.every(one => isGone(one)) ?? false) : isGone(item));
}
