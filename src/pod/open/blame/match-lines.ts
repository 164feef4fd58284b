import {diffArrays} from 'diff';

/**
The lines of a content as numbers. Lines that differ only in white space have the same number, as with `git blame -w`.
*/
export type Lines = readonly number[];

/** Numbers lines. */
export type LineNumbers = {
	readonly of: (text: string) => Lines;
	/** Returns the number of letters and digits in a line. Moved blocks need a certain weight. */
	readonly weight: (line: number) => number;
};

export function createLineNumbers(): LineNumbers {
	const numbers = new Map<string, number>();
	const weights: number[] = [];
	const numberOf = (line: string) => {
		const bare = line.replaceAll(/\s+/g, '');
		const known = numbers.get(bare);
		if (known !== undefined) return known;
		numbers.set(bare, weights.length);
		weights.push(bare.replaceAll(/[^\p{L}\p{N}]/gu, '').length);
		return weights.length - 1;
	};
	return {of: text => textLines(text).map(numberOf), weight: line => weights[line] ?? 0};
}

/** Returns the lines of a text. A final newline does not begin another line. */
export function textLines(text: string): readonly string[] {
	if (text === '') return [];
	return text.replace(/\n$/, '').split('\n');
}

/**
Returns for each line of `now` the index of the same line in `old`, or -1. Lines match in their order first. Then blocks
match that were moved, if they have enough letters and digits.
*/
export function matchLines(old: Lines, now: Lines, weight: LineNumbers['weight']): Int32Array {
	const match = matchInOrder(old, now);
	matchMoved({old, now, weight}, match);
	return match;
}

/** Returns for each line of `now` the index of the same line in `old`, or -1. The order of the matches is the same. */
export function matchInOrder(old: Lines, now: Lines): Int32Array {
	const match = new Int32Array(now.length).fill(-1);
	const shorter = Math.min(old.length, now.length);
	let head = 0;
	while (head < shorter && old[head] === now[head]) match[head] = head++;
	let tail = 0;
	while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) {
		tail += 1;
		match[now.length - tail] = old.length - tail;
	}
	const [oldPart, nowPart] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
	if (oldPart.length === 0 || nowPart.length === 0) return match;
	let oldAt = head;
	let nowAt = head;
	for (const {added, removed, count} of diffArrays([...oldPart], [...nowPart], {timeout: maxMs}) ?? []) {
		const equal = added || removed ? 0 : count;
		for (let index = 0; index < equal; index += 1) match[nowAt + index] = oldAt + index;
		if (!added) oldAt += count;
		if (!removed) nowAt += count;
	}
	return match;
}

type Doubt = {readonly olds: readonly number[]; readonly isMaybeNew: boolean};

/**
Returns for the short lines of `now` that a comparison may mistake for an equal line their indexes in `old`.
Such a line is in a changed region, whose numbers of equal lines differ in `old` and `now`. The region is between lines
that are certain, because they occur once.
*/
export function doubtfulLines({old, now, weight}: Pair, match: Int32Array): ReadonlyMap<number, Doubt> {
	const doubtful = new Map<number, Doubt>();
	const [oldPlaces, nowPlaces] = [placesOf(old, () => true), placesOf(now, () => true)];
	const isOnce = (line: number) => oldPlaces.get(line)?.length === 1 && nowPlaces.get(line)?.length === 1;
	let [oldFrom, nowFrom] = [0, 0];
	for (let at = 0; at <= now.length; at += 1) {
		const oldAt = at === now.length ? old.length : (match[at] ?? -1);
		if (at < now.length && (oldAt < oldFrom || !isOnce(now[at] ?? -1))) continue;
		for (let index = nowFrom; index < at; index += 1) {
			const line = now[index] ?? -1;
			if (weight(line) >= minMoved) continue;
			const olds = (oldPlaces.get(line) ?? []).filter(each => each >= oldFrom && each < oldAt);
			const count = (nowPlaces.get(line) ?? []).filter(each => each >= nowFrom && each < at).length;
			if (olds.length > 0 && olds.length !== count) doubtful.set(index, {olds, isMaybeNew: count > olds.length});
		}
		[oldFrom, nowFrom] = [oldAt + 1, at + 1];
	}
	return doubtful;
}

type Pair = {readonly old: Lines; readonly now: Lines; readonly weight: LineNumbers['weight']};

/** Matches blocks of lines that have no match yet with blocks of old lines that have none, the longest block first. */
function matchMoved({old, now, weight}: Pair, match: Int32Array): void {
	const isTaken = new Uint8Array(old.length);
	for (const at of match) if (at !== -1) isTaken[at] = 1;
	const free = placesOf(old, at => isTaken[at] === 0);
	for (let from = 0; from < now.length;) {
		const block = longestBlock({old, now, weight}, from, {match, isTaken, free});
		for (let index = 0; index < block.length; index += 1) {
			match[from + index] = block.at + index;
			isTaken[block.at + index] = 1;
		}
		from += Math.max(1, block.length);
	}
}

type Free = {
	readonly match: Int32Array;
	readonly isTaken: Uint8Array;
	readonly free: ReadonlyMap<number, readonly number[]>;
};

type Block = {readonly at: number; readonly length: number};

function longestBlock({old, now, weight}: Pair, from: number, {match, isTaken, free}: Free): Block {
	let best: Block = {at: -1, length: 0};
	if (match[from] !== -1) return best;
	for (const at of (free.get(now[from] ?? -1) ?? []).slice(0, maxPlaces)) {
		let length = 0;
		let total = 0;
		while (
			from + length < now.length &&
			match[from + length] === -1 &&
			isTaken[at + length] === 0 &&
			old[at + length] === now[from + length]
		) {
			total += weight(now[from + length] ?? -1);
			length += 1;
		}
		if (total >= minMoved && length > best.length) best = {at, length};
	}
	return best;
}

function placesOf(lines: Lines, isWanted: (at: number) => boolean): ReadonlyMap<number, readonly number[]> {
	const places = new Map<number, number[]>();
	for (const [at, line] of lines.entries()) {
		if (!isWanted(at)) continue;
		const known = places.get(line);
		if (known === undefined) places.set(line, [at]);
		else known.push(at);
	}
	return places;
}

/** The number of letters and digits that a moved block needs. `git blame -M` uses the same number. */
export const minMoved = 20;

/** The number of places at which a moved block is looked for. */
const maxPlaces = 64;

/** The maximum time for one comparison in milliseconds. After it, only equal beginnings, ends and blocks match. */
const maxMs = 200;
