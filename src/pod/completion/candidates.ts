import {prepare, single} from 'fuzzysort';
import {fold, unitsOf} from './case-fold.ts';
import type {PathRows} from './path-rows.ts';
import {bestRows, tiers, type Tier, type Wanted} from './rank.ts';

/** A possible match, with the path as the user would write it. `source`: the index of its source, best first. */
export type Candidate = {
	readonly path: string;
	readonly directory: boolean;
	readonly ignored: boolean;
	readonly marks: readonly number[];
	readonly tier: Tier;
	readonly source: number;
	readonly score: number;
};

/**
A set of rows to search and the query. Only rows below `below` count, and matches show `head` in its place. `deep`:
direct entries are skipped, because another source has them.
*/
export type Source = {
	readonly rows: PathRows;
	readonly wanted: Wanted;
	readonly below: string;
	readonly head: string;
	readonly deep: boolean;
};

/** The best matches of all sources, best first, each path once. Up to `most` per source. */
export function bestCandidates(sources: readonly Source[], most: number): Candidate[] {
	const all = sources.flatMap(({rows, wanted, below, head, deep}, source) =>
		bestRows(rows, wanted, {most, below, deep}).map(({row, tier}) => {
			const {path, directory, ignored} = rows.entry(row);
			return candidate({rest: path.slice(below.length), head, directory, ignored, tier, source}, wanted);
		}),
	);
	const seen = new Set<string>();
	return all.toSorted(byMerit).filter(({path}) => !seen.has(path) && seen.add(path));
}

/** All rows in the order of an empty query: directories first, hidden entries last. */
export function listedCandidates({rows, head}: Pick<Source, 'rows' | 'head'>): Candidate[] {
	const all = Array.from({length: rows.size}, (_, row) => {
		const {path: rest, directory, ignored} = rows.entry(row);
		return candidate({rest, head, directory, ignored, tier: tiers.exact, source: 0}, undefined);
	});
	const rank = ({path, directory, ignored}: Candidate) =>
		Number(ignored) * 4 + Number(!directory) * 2 + Number(path.startsWith('.', head.length));
	return all.toSorted((a, b) => rank(a) - rank(b) || byName(a, b));
}

type Found = Pick<Candidate, 'directory' | 'ignored' | 'tier' | 'source'> & {
	readonly rest: string;
	readonly head: string;
};

function candidate({rest, head, directory, ignored, tier, source}: Found, wanted: Wanted | undefined): Candidate {
	const start = writable(head, rest);
	const {places, score} = wanted === undefined ? {places: [], score: 0} : placesOf(rest, tier, wanted);
	return {
		path: `${start}${rest}${directory ? '/' : ''}`,
		directory,
		ignored,
		marks: places.map(unit => start.length + unit),
		tier,
		source,
		score,
	};
}

/** A folder named `~` is written `./~/`, because `~/` is the home folder. */
function writable(head: string, rest: string): string {
	return head === '' && /^~(?:\/|$)/.test(rest) ? './' : head;
}

function byMerit(a: Candidate, b: Candidate): number {
	return (
		Number(a.ignored) - Number(b.ignored) ||
		a.tier - b.tier ||
		a.source - b.source ||
		b.score - a.score ||
		a.path.length - b.path.length ||
		byName(a, b)
	);
}

function byName(a: Candidate, b: Candidate): number {
	return Number(a.path > b.path) - Number(a.path < b.path);
}

/** The matched code units of the path, and fuzzysort's score for scattered letters. */
function placesOf(
	path: string,
	tier: Tier,
	wanted: Wanted,
): {readonly places: readonly number[]; readonly score: number} {
	const folded = fold(path);
	if (tier < tiers.nameLetters) {
		const at = placeOf(folded.key, path, tier, wanted);
		return {
			places: unitsOf(
				path,
				folded,
				Array.from({length: wanted.key.length}, (_, index) => at + index),
			),
			score: 0,
		};
	}
	const name = folded.key.lastIndexOf('/') + 1;
	const from = tier === tiers.nameLetters && wanted.slash < 0 ? name : 0;
	const result = single(wanted.key, prepare(folded.key.slice(from)));
	const places = result === null ? lettersOf(folded.key, wanted.key) : result.indexes.map(index => from + index);
	return {places: unitsOf(path, folded, places), score: result?.score ?? 0};
}

/**
The position of the query in the key of the path: in the name if possible, and at the start of a word if the tier
requires it.
*/
function placeOf(key: string, path: string, tier: Tier, {key: sought, slash}: Wanted): number {
	const name = key.lastIndexOf('/') + 1;
	if (slash >= 0) return tier < tiers.inPath ? name - sought.lastIndexOf('/') - 1 : key.indexOf(sought);
	if (tier === tiers.inPath) return key.lastIndexOf(sought, name - 1);
	let at = key.indexOf(sought, name);
	while (tier === tiers.word && !startsWord(key, path, at)) {
		const next = key.indexOf(sought, at + 1);
		if (next < 0) return at;
		at = next;
	}
	return at;
}

function startsWord(key: string, path: string, at: number): boolean {
	if (!/[\p{L}\p{N}]/u.test(key[at - 1] ?? '')) return true;
	return key.length === path.length && isCapital(path[at]) && !isCapital(path[at - 1]);
}

function isCapital(letter = ''): boolean {
	return /\p{Lu}/u.test(letter);
}

function lettersOf(key: string, sought: string): number[] {
	const places: number[] = [];
	for (let at = key.length - 1, left = sought.length - 1; at >= 0 && left >= 0; at -= 1) {
		if (key[at] !== sought[left]) continue;
		places.unshift(at);
		left -= 1;
	}
	return places;
}
