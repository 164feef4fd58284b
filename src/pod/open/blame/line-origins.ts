import {doubtfulLines, matchLines, minMoved, type LineNumbers, type Lines} from './match-lines.ts';

/** A change of the file that a session recorded, with the hashes of the contents before and after it. */
export type Step = {
	/** The history that contains the change. */
	readonly history: string;
	readonly at: string;
	/** Absent for a new file. */
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
	/** The hash of the file in the working tree. If the last change of a history wrote it, that change is meant. */
	readonly present?: string | undefined;
	readonly weight: LineNumbers['weight'];
};

/**
The changes that may have written a line: one if it is certain, several if the contents do not decide. It is empty if no
session wrote the line. `undefined` in it: perhaps no session wrote the line.
*/
type Origin<Change> = ReadonlyArray<Change | undefined>;

/**
Returns for each line of a content the changes that wrote it. The list of a line that no session wrote is empty. It
follows contents: a change comes after the change that wrote the contents from before it. A content that was made
outside the sessions has the lines of the most similar contents. Times never choose between changes. They only exclude
contents that were recorded later.
*/
export function lineOrigins<Change extends Step>(hash: string, graph: Graph<Change>): ReadonlyArray<Origin<Change>> {
	const changes = inOrder(graph.changes);
	const known = new Map<Change, Origins<Change> | undefined>();
	const walk = createWalk({...graph, changes}, known);
	// Each change needs only those before it.
	for (const change of changes) known.set(change, walk.after(change));
	return walk.of(hash, undefined);
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

/** Sorts the changes so that the order within each history stays, even if its clock was set back. */
function inOrder<Change extends Step>(changes: readonly Change[]): readonly Change[] {
	const latest = new Map<string, string>();
	const timed = changes.map(change => {
		const before = latest.get(change.history) ?? '';
		const at = change.at > before ? change.at : before;
		latest.set(change.history, at);
		return {change, at};
	});
	return timed
		.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
		.map(each => each.change);
}

/** Finds origins. `known` has the origins after each change that is before the current one. */
function createWalk<Change extends Step>(
	graph: Graph<Change>,
	known: ReadonlyMap<Change, Origins<Change> | undefined>,
) {
	const {changes, lines, parents, weight} = graph;
	const relations = createRelations(graph);
	const knownVersions = new Map<string, Origins<Change>>();

	/** Returns the origins of a content, which is that before the change `next`, or a version of the file. */
	function of(hash: string, next: Change | undefined): Origins<Change> {
		const found = relations
			.writersOf(hash, next)
			.flatMap(change => [known.get(change)].flatMap(each => (each ? [each] : [])));
		if (found.length > 0) return found.reduce(joined);
		if (next !== undefined) return outside(hash, {earlier: relations.before(next), next});
		const ready = knownVersions.get(hash);
		if (ready !== undefined) return ready;
		// Contents may repeat, so a version may be among its own parents.
		knownVersions.set(hash, []);
		const later = relations.after(hash);
		const version = outside(hash, {earlier: changes.filter(change => !later.has(change)), next});
		knownVersions.set(hash, version);
		return version;
	}

	/** Returns the origins of the lines after a change, or `undefined` if its contents are lost. */
	function after(change: Change): Origins<Change> | undefined {
		const now = lines(change.after);
		const old = change.before === undefined ? [] : lines(change.before);
		if (now === undefined || old === undefined) return undefined;
		const earlier = change.before === undefined ? [] : of(change.before, change);
		const own = [change];
		const match = matchLines(old, now, weight);
		const doubtful = doubtfulLines({old, now, weight}, match);
		return Array.from(match, (at, index) => {
			const doubt = doubtful.get(index);
			if (doubt !== undefined)
				return union([...doubt.olds.map(each => earlier[each]), ...(doubt.isMaybeNew ? [own] : [])]);
			return at === -1 ? own : (earlier[at] ?? []);
		});
	}

	/** Returns the origins of a content that no call wrote: the user or another program changed one of `earlier`. */
	function outside(hash: string, {earlier, next}: Source<Change>): Origins<Change> {
		const now = lines(hash);
		if (now === undefined) return [];
		const taking: Taking<Change> = {now, origins: now.map(() => undefined)};
		const versions = parents.get(hash) ?? [];
		const limit = Math.min(...versions.map(version => distance(lines(version) ?? [], now)));
		const ranked = nearest(now, earlier, lines);
		const equal = ranked.filter(each => each.distance <= limit && each.distance === ranked[0]?.distance);
		const own = equal.filter(({change}) => change.history === next?.history).slice(-1);
		for (const {change} of own.length > 0 ? own : equal) takeToo(taking, change);
		// Lines of the parent in git have the origins that they have there.
		for (const version of versions) take(taking, {old: lines(version), from: () => of(version, undefined), weight});
		for (const {change} of ranked.slice(equal.length))
			takeBlocks(taking, {...graph, old: lines(change.after) ?? [], from: known.get(change)});
		return taking.origins.map(origin => origin ?? []);
	}

	/** Takes origins in addition to those of equally similar contents. */
	function takeToo({now, origins}: Taking<Change>, change: Change): void {
		const other: Taking<Change> = {now, origins: now.map(() => undefined)};
		take(other, {old: lines(change.after), from: () => known.get(change), weight});
		for (const [index, origin] of other.origins.entries())
			if (origin !== undefined) origins[index] = union([origins[index], origin]);
	}

	return {of, after};
}

type Older<Change> = {
	readonly old: Lines | undefined;
	readonly from: () => Origins<Change> | undefined;
	readonly weight: LineNumbers['weight'];
};

/** Lines without an origin get the origin of the same line in an older content. */
function take<Change>({now, origins}: Taking<Change>, {old, from: load, weight}: Older<Change>): void {
	const from = old === undefined || !origins.includes(undefined) ? undefined : load();
	if (old === undefined || from === undefined) return;
	const match = matchLines(old, now, weight);
	const doubtful = doubtfulLines({old, now, weight}, match);
	for (const [index, at] of match.entries()) {
		const doubt = doubtful.get(index);
		if (doubt !== undefined)
			origins[index] ??= union([...doubt.olds.map(each => from[each]), ...(doubt.isMaybeNew ? [[]] : [])]);
		else if (at !== -1) origins[index] ??= from[at] ?? [];
	}
}

type Old<Change> = {
	readonly old: Lines;
	readonly from: Origins<Change> | undefined;
	readonly weight: LineNumbers['weight'];
};

/** Takes only lines that a session wrote and that have enough letters and digits, as after a merge. */
function takeBlocks<Change>({now, origins}: Taking<Change>, {old, from, weight}: Old<Change>): void {
	const known = new Set(old);
	const isWanted = (line: number, index: number) =>
		origins[index] === undefined && weight(line) >= minMoved && known.has(line);
	if (from === undefined || !now.some(isWanted)) return;
	const match = matchLines(old, now, weight);
	for (const [index, line] of now.entries()) {
		const origin = isWanted(line, index) ? (from[match[index] ?? -1] ?? []) : [];
		if (origin.length > 0) origins[index] = origin;
	}
}

type Source<Change> = {readonly earlier: readonly Change[]; readonly next: Change | undefined};

type Taking<Change> = {readonly now: Lines; readonly origins: Array<Origin<Change> | undefined>};

function joined<Change>(one: Origins<Change>, other: Origins<Change>): Origins<Change> {
	return one.map((origin, index) => union([origin, other[index]]));
}

function union<Change>(origins: ReadonlyArray<Origin<Change> | undefined>): Origin<Change> {
	const all = [...new Set(origins.flatMap(origin => (origin?.length === 0 ? [undefined] : (origin ?? []))))];
	return all.some(change => change !== undefined) ? all : [];
}

/** What is known about the order of changes. */
function createRelations<Change extends Step>({changes, parents, present}: Graph<Change>) {
	const places = new Map(changes.map((change, place) => [change, place]));
	const placeOf = (change: Change) => places.get(change) ?? 0;
	const byAfter = Map.groupBy(changes, ({after}) => after);
	const byBefore = Map.groupBy(changes, ({before}) => before);
	const histories = Map.groupBy(changes, ({history}) => history);
	const lasts = new Set([...histories.values()].map(each => each.at(-1)));
	const children = new Map<string, string[]>();
	for (const [child, olds] of parents)
		for (const old of olds) children.set(old, [...(children.get(old) ?? []), child]);
	const before = (next: Change) => changes.slice(0, placeOf(next));

	return {
		before,
		/** Returns the changes that may have written a content. */
		writersOf(hash: string, next: Change | undefined): readonly Change[] {
			const all = byAfter.get(hash) ?? [];
			const earlier = next === undefined ? all : all.filter(change => placeOf(change) < placeOf(next));
			if (earlier.length < 2) return earlier;
			const own = next && before(next).findLast(({history}) => history === next.history);
			if (own?.after === hash) return [own];
			const last = next === undefined && hash === present ? earlier.filter(change => lasts.has(change)) : [];
			if (last.length === 1) return last;
			const versions = parents.get(hash) ?? [];
			const fitting = earlier.filter(change => change.before !== undefined && versions.includes(change.before));
			return fitting.length > 0 ? fitting : earlier;
		},
		/** Returns the changes that certainly came after a version. */
		after(version: string): ReadonlySet<Change> {
			const later = new Set<Change>();
			const passed = new Set<string>();
			const hashes = [version];
			for (let hash = hashes.pop(); hash !== undefined; hash = hashes.pop()) {
				if (passed.has(hash)) continue;
				passed.add(hash);
				hashes.push(...(children.get(hash) ?? []));
				for (const change of byBefore.get(hash) ?? []) {
					const own = histories.get(change.history) ?? [];
					for (const each of own.slice(own.indexOf(change))) {
						if (!later.has(each)) hashes.push(each.after);
						later.add(each);
					}
				}
			}
			return later;
		},
	};
}

/** Ranks changes by the similarity of the contents after them to other contents, the most similar first. */
function nearest<Change extends Step>(
	now: Lines,
	earlier: readonly Change[],
	lines: Graph<Change>['lines'],
): ReadonlyArray<{readonly change: Change; readonly distance: number}> {
	return earlier
		.map(change => ({change, distance: distance(lines(change.after) ?? [], now)}))
		.toSorted((one, other) => one.distance - other.distance)
		.slice(0, maxSources);
}

/** The number of contents in which the lines of a content that was changed outside the sessions are looked for. */
const maxSources = 12;
