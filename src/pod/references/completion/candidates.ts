import {prepare, single} from 'fuzzysort';
import {caseFold, sourceUnits} from './case-fold.ts';
import type {PathRows} from './path-rows.ts';
import {bestRows, tiers, type Tier, type PathQuery} from './rank.ts';

/**
A possible match. `path` is the path as the user would write it. `source` is the index of the source: a better source
has a lower index.
*/
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
A set of rows to search, and the query. Only rows in the folder `below` count, and a match shows `head` in place of
`below`. `deep`: the search skips direct entries, because another source contains them.
*/
export type SearchSource = {
	readonly rows: PathRows;
	readonly query: PathQuery;
	readonly below: string;
	readonly head: string;
	readonly deep: boolean;
};

/**
Returns the best matches of all sources, best first and each path once. Each source contributes up to `maxPerSource`.
*/
export function bestCandidates(sources: readonly SearchSource[], maxPerSource: number): Candidate[] {
	const all = sources.flatMap(({rows, query, below, head, deep}, source) =>
		bestRows(rows, query, {maxRows: maxPerSource, below, deep}).map(({row, tier}) => {
			const {path, directory, ignored} = rows.entry(row);
			return candidate({rest: path.slice(below.length), head, directory, ignored, tier, source}, query);
		}),
	);
	const seen = new Set<string>();
	return all.toSorted(byMerit).filter(({path}) => !seen.has(path) && seen.add(path));
}

/** Returns all rows in the order of an empty query: directories first, hidden entries last. */
export function listedCandidates({rows, head}: Pick<SearchSource, 'rows' | 'head'>): Candidate[] {
	const all = Array.from({length: rows.size}, (_, row) => {
		const {path: rest, directory, ignored} = rows.entry(row);
		return candidate({rest, head, directory, ignored, tier: tiers.exact, source: 0}, undefined);
	});
	const rank = ({path, directory, ignored}: Candidate) =>
		Number(ignored) * 4 + Number(!directory) * 2 + Number(path.startsWith('.', head.length));
	return all.toSorted((a, b) => rank(a) - rank(b) || byName(a, b));
}

type FoundPath = Pick<Candidate, 'directory' | 'ignored' | 'tier' | 'source'> & {
	readonly rest: string;
	readonly head: string;
};

function candidate({rest, head, directory, ignored, tier, source}: FoundPath, query: PathQuery | undefined): Candidate {
	const start = writableHead(head, rest);
	const {places, score} = query === undefined ? {places: [], score: 0} : matchedUnits(rest, tier, query);
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

/** Returns the head as a user writes it. A folder named `~` becomes `./~/`, because `~/` is the home folder. */
function writableHead(head: string, rest: string): string {
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

/** Returns the indexes of the matched code units of the path, and fuzzysort's score for scattered letters. */
function matchedUnits(
	path: string,
	tier: Tier,
	query: PathQuery,
): {readonly places: readonly number[]; readonly score: number} {
	const folded = caseFold(path);
	if (tier < tiers.nameLetters) {
		const at = keyPosition(folded.key, path, tier, query);
		return {
			places: sourceUnits(
				path,
				folded,
				Array.from({length: query.key.length}, (_, index) => at + index),
			),
			score: 0,
		};
	}
	const name = folded.key.lastIndexOf('/') + 1;
	const from = tier === tiers.nameLetters && query.slash < 0 ? name : 0;
	const result = single(query.key, prepare(folded.key.slice(from)));
	const places =
		result === null ? scatteredLetters(folded.key, query.key) : result.indexes.map(index => from + index);
	return {places: sourceUnits(path, folded, places), score: result?.score ?? 0};
}

/**
Returns the position of the query in the key of the path. Prefers a position in the name, and chooses the start of a
word if the tier needs one.
*/
function keyPosition(key: string, path: string, tier: Tier, {key: sought, slash}: PathQuery): number {
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

function scatteredLetters(key: string, sought: string): number[] {
	const places: number[] = [];
	for (let at = key.length - 1, left = sought.length - 1; at >= 0 && left >= 0; at -= 1) {
		if (key[at] !== sought[left]) continue;
		places.unshift(at);
		left -= 1;
	}
	return places;
}
