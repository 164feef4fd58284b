import {matchLines, minMoved, type LineNumbers, type Lines} from './match-lines.ts';

/** A change of the file that a session recorded, with the contents before and after it. */
export type Step = {
	/** The history that contains the change. Its changes of the file are numbered in their order, from 0. */
	readonly history: string;
	readonly order: number;
	/** The hash of the contents before the change. Absent for a new file. */
	readonly before?: string | undefined;
	readonly after: string;
};

type Graph<Change extends Step> = {
	/** The changes of the file, each history in its own order. */
	readonly changes: readonly Change[];
	/** Returns the lines of a content by its hash, or `undefined` if they are lost. */
	readonly lines: (hash: string) => Lines | undefined;
	/** The hashes of the parents of each version in git. A version that git added has none. */
	readonly parents: ReadonlyMap<string, readonly string[]>;
	/** The hash of the file in the working tree. A history whose last change wrote it wrote it with that change. */
	readonly present?: string | undefined;
	readonly weight: LineNumbers['weight'];
};

/** The changes that may have written a line: one if it is certain, several if the contents do not decide. */
type Origin<Change> = readonly Change[];

/**
Returns for each line of a content the changes that wrote it. The list of a line that no session wrote is empty. It
follows contents, never times: a change comes after the change that wrote the contents from before it. The order of
changes in one history is known, too. Where a content was made outside the sessions, its lines come from the most
similar contents.
*/
export function lineOrigins<Change extends Step>(hash: string, graph: Graph<Change>): ReadonlyArray<Origin<Change>> {
	return createWalk(graph).of(hash, undefined);
}

/** Returns the number of lines that only one of the contents has. */
export function distance(one: Lines, other: Lines): number {
	const counts = new Map<number, number>();
	for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1);
	let common = 0;
	for (const line of other) {
		const count = counts.get(line) ?? 0;
		if (count === 0) continue;
		common += 1;
		counts.set(line, count - 1);
	}
	return one.length + other.length - 2 * common;
}

type Origins<Change> = ReadonlyArray<Origin<Change>>;

function createWalk<Change extends Step>(graph: Graph<Change>) {
	const {changes, lines, parents, weight} = graph;
	const known = new Map<Change, Origins<Change> | undefined>();
	const knownOutside = new Map<string, Origins<Change>>();
	const open = new Set<Change>();
	const openParents = new Set<string>();
	const relations = createRelations(graph);
	const nearest = createNearest(lines);
	let computed = 0;
	/** Whether a result lacks a change because the walk was inside of it. */
	let isCut = false;

	/** `next`: the change that follows these contents. */
	function of(hash: string, next: Change | undefined): Origins<Change> {
		const writers = relations.writersOf(hash, next);
		const usable = writers.filter(change => !open.has(change));
		if (usable.length < writers.length) isCut = true;
		const found = usable.map(after).filter(each => each !== undefined);
		return found.length > 0 ? found.reduce(joined) : outside(hash, next);
	}

	/** Returns the origins of the lines after a change, or `undefined` if its contents are lost. */
	function after(change: Change): Origins<Change> | undefined {
		// The chain of changes before this one is walked from its start, because it may be too long for the call stack.
		const chain = new Set<Change>();
		for (let at: Change | undefined = change; at !== undefined && !known.has(at) && !chain.has(at);) {
			chain.add(at);
			const [before, ...more]: readonly Change[] = at.before === undefined ? [] : relations.writersOf(at.before, at);
			at = more.length > 0 || (before !== undefined && open.has(before)) ? undefined : before;
		}
		let result = known.get(change);
		for (const each of [...chain].toReversed()) result = known.has(each) ? known.get(each) : step(each);
		return result;
	}

	function step(change: Change): Origins<Change> | undefined {
		const now = lines(change.after);
		const old = change.before === undefined ? [] : lines(change.before);
		if (now === undefined || old === undefined) {
			known.set(change, undefined);
			return undefined;
		}
		const wasCut = isCut;
		isCut = false;
		computed += 1;
		open.add(change);
		const own = [change];
		const earlier = change.before === undefined ? [] : of(change.before, change);
		const match = matchLines(old, now, weight);
		const result = now.map((_, index) => {
			const at = match[index] ?? -1;
			return at === -1 ? own : (earlier[at] ?? []);
		});
		open.delete(change);
		if (!isCut || open.size === 0 || computed > maxComputed) known.set(change, result);
		isCut ||= wasCut;
		return result;
	}

	/** Returns the origins of lines that were changed outside the sessions. */
	function outside(hash: string, next: Change | undefined): Origins<Change> {
		const ready = next === undefined ? knownOutside.get(hash) : undefined;
		const now = lines(hash);
		if (ready !== undefined || now === undefined) return ready ?? [];
		const wasCut = isCut;
		isCut = false;
		const later = relations.laterThan(hash, next);
		const allowed = changes.filter(change => !later.has(change));
		const usable = allowed.filter(change => !open.has(change));
		if (usable.length < allowed.length) isCut = true;
		const taking: Taking<Change> = {now, origins: now.map(() => undefined)};
		const older = parents.get(hash) ?? [];
		const limit = Math.min(...older.map(parent => distance(lines(parent) ?? [], now)));
		const [first, ...others] = nearest(now, usable, next);
		const isNear = first !== undefined && first.distance <= limit;
		if (isNear) take(first.change, taking, 0);
		for (const parent of older) takeParent(parent, taking);
		for (const {change} of first === undefined || isNear ? others : [first, ...others]) take(change, taking, minMoved);
		const result = taking.origins.map(origin => origin ?? []);
		if (next === undefined && !isCut) knownOutside.set(hash, result);
		isCut ||= wasCut;
		return result;
	}

	/** Lines of the parent in git keep the origins that they have there. */
	function takeParent(parent: string, {now, origins}: Taking<Change>): void {
		const old = lines(parent);
		if (old === undefined || origins.every(origin => origin !== undefined)) return;
		if (openParents.has(parent)) {
			isCut = true;
			return;
		}
		openParents.add(parent);
		const earlier = of(parent, undefined);
		openParents.delete(parent);
		const match = matchLines(old, now, weight);
		for (const [index, at] of match.entries()) if (at !== -1) origins[index] ??= earlier[at] ?? [];
	}

	/** Lines without an origin get those of the contents after a change. `least`: the weight of a block that counts. */
	function take(change: Change, {now, origins}: Taking<Change>, least: number): void {
		const old = lines(change.after) ?? [];
		if (least > 0 && !now.some((line, index) => origins[index] === undefined && old.includes(line))) return;
		const match = matchLines(old, now, weight);
		const isFree = (index: number) => origins[index] === undefined && (match[index] ?? -1) !== -1;
		if (least > 0 && !now.some((line, index) => isFree(index) && weight(line) >= least)) return;
		const earlier = after(change);
		if (earlier === undefined) return;
		for (const [index, line] of now.entries()) {
			if (!isFree(index) || weight(line) < least) continue;
			const origin = earlier[match[index] ?? -1] ?? [];
			if (least === 0 || origin.length > 0) origins[index] = origin;
		}
	}

	return {of};
}

type Taking<Change> = {
	readonly now: Lines;
	readonly origins: Array<Origin<Change> | undefined>;
};

function joined<Change>(one: Origins<Change>, other: Origins<Change>): Origins<Change> {
	return one.map((origin, index) => [...new Set([...origin, ...(other[index] ?? [])])]);
}

/** What is known about the order of changes. */
function createRelations<Change extends Step>({changes, parents, present}: Graph<Change>) {
	const byAfter = Map.groupBy(changes, ({after}) => after);
	const byBefore = Map.groupBy(changes, ({before}) => before);
	const histories = Map.groupBy(changes, ({history}) => history);
	const laterInHistory = ({history, order}: Change) =>
		(histories.get(history) ?? []).filter(change => change.order > order);
	const children = new Map<string, string[]>();
	for (const [child, olds] of parents)
		for (const old of olds) children.set(old, [...(children.get(old) ?? []), child]);

	return {
		/** Returns the changes that may have written a content. */
		writersOf(hash: string, next: Change | undefined): readonly Change[] {
			const all = byAfter.get(hash) ?? [];
			const last = next && histories.get(next.history)?.findLast(({order}) => order < next.order);
			if (last?.after === hash) return [last];
			const earlier = all.filter(change => change.history !== next?.history || change.order < next.order);
			if (next === undefined && hash === present) {
				const lasts = earlier.filter(({history, after}) => histories.get(history)?.at(-1)?.after === after);
				const ends = new Set(lasts.map(({history}) => histories.get(history)?.at(-1)));
				if (ends.size === 1) return earlier.filter(change => ends.has(change));
			}
			const older = parents.get(hash) ?? [];
			const fitting = earlier.filter(({before}) => before !== undefined && older.includes(before));
			return fitting.length > 0 ? fitting : earlier;
		},
		/** Returns the changes that certainly came after a content. */
		laterThan(hash: string, next: Change | undefined): ReadonlySet<Change> {
			const later = new Set<Change>();
			const passed = new Set<string>();
			const hashes = [hash];
			const add = (change: Change) => {
				if (later.has(change)) return;
				later.add(change);
				hashes.push(change.after);
				for (const each of laterInHistory(change)) add(each);
			};
			if (next !== undefined) add(next);
			for (let at = hashes.pop(); at !== undefined; at = hashes.pop()) {
				if (passed.has(at)) continue;
				passed.add(at);
				hashes.push(...(children.get(at) ?? []));
				for (const change of byBefore.get(at) ?? []) add(change);
			}
			return later;
		},
	};
}

/** Ranks changes by the similarity of the contents after them to other contents, the most similar first. */
function createNearest(lines: (hash: string) => Lines | undefined) {
	return <Change extends Step>(now: Lines, changes: readonly Change[], next: Change | undefined) => {
		const isBefore = ({history}: Change) => history === next?.history;
		return changes
			.flatMap(change => {
				const old = lines(change.after);
				return old === undefined ? [] : [{change, distance: distance(old, now)}];
			})
			.toSorted(
				(one, other) =>
					one.distance - other.distance ||
					Number(isBefore(other.change)) - Number(isBefore(one.change)) ||
					other.change.order - one.change.order,
			)
			.slice(0, maxSources);
	};
}

/** The number of contents in which the lines of a content that was changed outside the sessions are looked for. */
const maxSources = 12;

/** The number of comparisons after which results are kept even if they may lack a line. */
const maxComputed = 20_000;
