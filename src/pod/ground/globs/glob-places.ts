/** A part of a glob. `fits` tells whether one character matches. */
export type PlaceToken =
	| {readonly type: 'literal'; readonly character: string}
	/** Matches any single character. */
	| {readonly type: 'mark'}
	| {readonly type: 'class'; readonly fits: (character: string) => boolean}
	/** Matches any characters except slashes. */
	| {readonly type: 'star'}
	/** Matches any characters. */
	| {readonly type: 'all'}
	/** Matches nothing, or whole segments with their slashes. */
	| {readonly type: 'segments'};

/**
The places (states) of several globs, one glob after another. They are the states of a nondeterministic automaton that
matches all globs at once: bit n of a row of words tells whether place n is active. Each character of a text moves the
active places, so a comparison takes one step for each character and each 32 places. No bit moves from the last place of
a glob to the next glob.
*/
export type GlobPlaces = {
	/** The number of words in a row of places. */
	readonly words: number;
	/** The first place of each glob, and the places that can be reached from it without a character. */
	readonly starts: Int32Array;
	/** The place after each glob. */
	readonly ends: Int32Array;
	/** The number of the place after each glob. */
	readonly lasts: readonly number[];
	/**
	The places that stay active after any character, and the places that stay active after any character except a slash.
	*/
	readonly loops: Int32Array;
	readonly segmentLoops: Int32Array;
	/** The places from which the next place is reached without a character. */
	readonly entries: Int32Array;
	/** Returns the places that a character moves to the next place. The row is valid until the next call. */
	readonly movedBy: (code: number) => Int32Array;
};

/** Counts the steps of comparisons: one for each character and word of places. */
export type StepCount = {steps: number};

const slash = 47;

/** Returns the code points of a text. */
export function codesOf(text: string): Int32Array {
	const codes = new Int32Array(text.length);
	let count = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.codePointAt(at) ?? 0;
		codes[count++] = code;
		if (code > 0xffff) at++;
	}
	return codes.subarray(0, count);
}

export function compilePlaces(globs: ReadonlyArray<readonly PlaceToken[]>): GlobPlaces {
	const count = globs.reduce((sum, tokens) => sum + placesOf(tokens), 0);
	const row = () => new Int32Array(Math.max(1, Math.ceil(count / 32)));
	const [starts, ends, loops, segmentLoops, entries] = [row(), row(), row(), row(), row()];
	const lasts: number[] = [];
	const moves: Move[] = [];
	let place = 0;
	for (const tokens of globs) {
		add(starts, place);
		if (tokens[0]?.type === 'segments') add(starts, place + 1);
		for (const token of tokens) {
			if (token.type === 'all' || token.type === 'segments') add(loops, place);
			if (token.type === 'segments') add(entries, place);
			if (token.type === 'star' || token.type === 'all') add(segmentLoops, place);
			else moves.push({place: place++, token});
		}
		add(ends, place);
		lasts.push(place++);
	}
	addAll(segmentLoops, loops);
	return {words: loops.length, starts, ends, lasts, loops, segmentLoops, entries, movedBy: movesBy(moves, row)};
}

/**
Returns the indexes of the globs that match a whole text. `hasContents`: globs that match the text up to one of its
slashes are included.
*/
export function matchingGlobs(
	globs: GlobPlaces,
	codes: Int32Array,
	hasContents = false,
	count?: StepCount,
): readonly number[] {
	if (globs.lasts.length === 0) return [];
	const walk = createWalk(globs, count);
	walk.start();
	for (const code of codes) {
		if (hasContents && code === slash) walk.end();
		walk.pass(code);
		if (walk.isDead()) return walk.ended();
	}
	walk.end();
	return walk.ended();
}

/** The places that are possible at one point of a text. */
export type Walk = {
	/** Adds the place before the first character of each glob. */
	start(): void;
	pass(code: number): void;
	/** Passes a text whose characters are unknown. */
	passUnknown(): void;
	isDead(): boolean;
	/** Records that a match may end here. */
	end(): void;
	/** Returns the numbers of the globs that matched where a match could end. */
	ended(): readonly number[];
	/** Removes all places. */
	clear(): void;
	/** Stores the current places. */
	save(): void;
	/** Adds the places that were stored last. */
	resume(): void;
};

export function createWalk(globs: GlobPlaces, count: StepCount = {steps: 0}): Walk {
	const {words, starts, ends, lasts, loops, segmentLoops, entries, movedBy} = globs;
	const places = new Int32Array(words);
	const saved = new Int32Array(words);
	const found = new Int32Array(words);
	const hasEntries = entries.some(word => word !== 0);
	let some = 0;
	return {
		start() {
			addAll(places, starts);
			some = 1;
		},
		pass(code) {
			count.steps += words;
			const moves = movedBy(code);
			some = hasEntries
				? passEntering(places, moves, code === slash ? loops : segmentLoops, entries)
				: passPlain(places, moves, code === slash ? loops : segmentLoops);
		},
		passUnknown() {
			count.steps += words;
			fillGlobs(places, starts, ends);
		},
		isDead: () => some === 0,
		end() {
			for (let word = 0; word < words; word++)
				found[word] = (found[word] ?? 0) | ((places[word] ?? 0) & (ends[word] ?? 0));
		},
		ended: () => lasts.flatMap((last, glob) => (has(found, last) ? [glob] : [])),
		clear() {
			places.fill(0);
			some = 0;
		},
		save: () => saved.set(places),
		resume() {
			addAll(places, saved);
			some = places.some(word => word !== 0) ? 1 : 0;
		},
	};
}

/** Moves the places of globs without `entries` over one character. The result is 0 if no place is left. */
function passPlain(places: Int32Array, moves: Int32Array, staying: Int32Array): number {
	let carried = 0;
	let some = 0;
	for (let word = 0; word < places.length; word++) {
		const here = places[word] ?? 0;
		if ((here | carried) === 0) continue;
		const moving = here & (moves[word] ?? 0);
		const there = (here & (staying[word] ?? 0)) | (moving << 1) | carried;
		carried = moving >>> 31;
		places[word] = there;
		some |= there;
	}
	return some;
}

/** Moves the places of globs with `entries` over one character. */
function passEntering(places: Int32Array, moves: Int32Array, staying: Int32Array, entries: Int32Array): number {
	let carried = 0;
	let some = 0;
	for (let word = 0; word < places.length; word++) {
		const here = places[word] ?? 0;
		if ((here | carried) === 0) continue;
		const moving = here & (moves[word] ?? 0);
		const moved = (moving << 1) | (carried & 1);
		const entering = moved & (entries[word] ?? 0);
		const there = (here & (staying[word] ?? 0)) | moved | (entering << 1) | (carried >>> 1);
		carried = (moving >>> 31) | ((entering >>> 31) << 1);
		places[word] = there;
		some |= there;
	}
	return some;
}

/** Adds every place of a glob after its first active place. */
function fillGlobs(places: Int32Array, starts: Int32Array, ends: Int32Array): void {
	let carried = 0;
	for (let word = 0; word < places.length; word++) {
		const here = places[word] ?? 0;
		if (here === 0 && carried === 0) continue;
		const first = starts[word] ?? 0;
		let filled = here | (carried & ~first);
		// Each step doubles the range of added places: up to 1, 3, 7, 15 and 31 places further.
		let open = ~first;
		for (let width = 1; width < 32; width *= 2) {
			filled |= (filled << width) & open;
			open &= open << width;
		}
		places[word] = filled;
		carried = (filled & ~(ends[word] ?? 0)) >>> 31;
	}
}

type Move = {readonly place: number; readonly token: PlaceToken};

/**
Maps each character to the places that it moves. Characters that no token names share a row, unless there are classes.
*/
function movesBy(moves: readonly Move[], row: () => Int32Array): GlobPlaces['movedBy'] {
	const others = row();
	for (const {place, token} of moves) if (token.type === 'mark') add(others, place);
	const named = new Map<number, Int32Array>();
	const classes: Array<{place: number; fits: (character: string) => boolean}> = [];
	const nameAt = (code: number, place: number) => {
		const known = named.get(code) ?? others.slice();
		add(known, place);
		named.set(code, known);
	};
	for (const {place, token} of moves) {
		if (token.type === 'class') classes.push({place, fits: token.fits});
		if (token.type === 'segments') nameAt(slash, place);
		if (token.type === 'literal') nameAt(token.character.codePointAt(0) ?? 0, place);
	}
	const scratch = row();
	const withClasses = (code: number) => {
		scratch.set(named.get(code) ?? others);
		const character = String.fromCodePoint(code);
		for (const {place, fits} of classes) if (fits(character)) add(scratch, place);
		return scratch;
	};
	const find = classes.length === 0 ? (code: number) => named.get(code) ?? others : withClasses;
	const ascii: Int32Array[] = [];
	return code => {
		if (code >= asciiSize) return find(code);
		const known = ascii[code];
		if (known !== undefined) return known;
		const moved = find(code);
		return (ascii[code] = moved === scratch ? scratch.slice() : moved);
	};
}

const asciiSize = 128;

function placesOf(tokens: readonly PlaceToken[]): number {
	return tokens.filter(({type}) => type !== 'star' && type !== 'all').length + 1;
}

function add(row: Int32Array, place: number): void {
	row[place >>> 5] = (row[place >>> 5] ?? 0) | (1 << (place & 31));
}

function addAll(row: Int32Array, others: Int32Array): void {
	for (let word = 0; word < row.length; word++) row[word] = (row[word] ?? 0) | (others[word] ?? 0);
}

function has(row: Int32Array, place: number): boolean {
	return ((row[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
}
