/** A part of a glob. `fits` tells whether it matches one character. */
export type PlaceToken =
	| {readonly type: 'literal'; readonly character: string}
	/** Matches any one character. */
	| {readonly type: 'mark'}
	| {readonly type: 'class'; readonly fits: (character: string) => boolean}
	/** Matches any run of characters without a slash. */
	| {readonly type: 'star'}
	/** Matches any run of characters. */
	| {readonly type: 'all'}
	/** Matches nothing, or whole segments with their slash. */
	| {readonly type: 'segments'};

/**
The places of a glob as bits. Bit n of a row of words is a place in the glob, so all possible matches run at once.
A match takes one step for each character and 32 places, whatever the glob is.
*/
export type GlobPlaces = {
	/** The place at the end of the glob. */
	readonly last: number;
	/** The number of words in a row. */
	readonly words: number;
	/** The places that stay after any character. Earlier places are then unnecessary. */
	readonly loops: Uint32Array;
	/** The places that stay after any character except a slash. */
	readonly segmentLoops: Uint32Array;
	/** The places that reach the next place without a character. */
	readonly entries: Uint32Array;
	/** Returns the places that a character moves by one. The row is valid until the next call. */
	readonly movedBy: (code: number) => Uint32Array;
};

export const slash = 47;

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

export function compilePlaces(tokens: readonly PlaceToken[]): GlobPlaces {
	const last = tokens.reduce((sum, {type}) => (type === 'star' || type === 'all' ? sum : sum + 1), 0);
	const loops = rowFor(last);
	const segmentLoops = rowFor(last);
	const entries = rowFor(last);
	const moves: Array<readonly [place: number, token: PlaceToken]> = [];
	let place = 0;
	for (const token of tokens) {
		if (token.type === 'all' || token.type === 'segments') add(loops, place);
		if (token.type === 'segments') add(entries, place);
		if (token.type === 'star' || token.type === 'all') add(segmentLoops, place);
		else moves.push([place++, token]);
	}
	addAll(segmentLoops, loops);
	return {last, words: loops.length, loops, segmentLoops, entries, movedBy: movesByCharacter(moves, last)};
}

/**
Tells whether a glob matches a whole text. `hasContents`: it may also match the text up to a slash.
It calls `onStep` for each step.
*/
export function matchesCodes(glob: GlobPlaces, codes: Int32Array, hasContents = false, onStep?: () => void): boolean {
	const walk = createWalk(glob, onStep);
	walk.start();
	for (const code of codes) {
		if (hasContents && code === slash && walk.isAtEnd()) return true;
		walk.pass(code);
		if (walk.isDead()) return false;
	}
	return walk.isAtEnd();
}

/** The possible places at one point of a text. */
export type Walk = {
	/** Adds the place before the first character. */
	start(): void;
	pass(code: number): void;
	/** Passes a text of unknown characters. */
	passUnknown(): void;
	isDead(): boolean;
	isAtEnd(): boolean;
	/** Saves the places. */
	save(): void;
	/** Adds the saved places. */
	resume(): void;
};

/** Creates a walk. Most globs fit into one word, and then it uses numbers instead of rows. */
export function createWalk(glob: GlobPlaces, onStep?: () => void): Walk {
	return glob.words === 1 ? createShortWalk(glob, onStep) : createLongWalk(glob, onStep);
}

function createShortWalk({last, loops, segmentLoops, entries, movedBy}: GlobPlaces, onStep?: () => void): Walk {
	const [loop = 0] = loops;
	const [segmentLoop = 0] = segmentLoops;
	const [entry = 0] = entries;
	const first = 1 | ((entry & 1) << 1);
	const end = 1 << last;
	let places = 0;
	let saved = 0;
	return {
		start: () => void (places |= first),
		pass(code) {
			onStep?.();
			const moved = (places & (movedBy(code)[0] ?? 0)) << 1;
			places = (places & (code === slash ? loop : segmentLoop)) | moved | ((moved & entry) << 1);
		},
		passUnknown() {
			onStep?.();
			places = -(places & -places) & (0xffff_ffff >>> (31 - last));
		},
		isDead: () => places === 0,
		isAtEnd: () => (places & end) !== 0,
		save: () => void (saved = places),
		resume: () => void (places |= saved),
	};
}

function createLongWalk(glob: GlobPlaces, onStep?: () => void): Walk {
	const {last, words, loops, segmentLoops, entries, movedBy} = glob;
	const places = rowFor(last);
	const saved = rowFor(last);
	// The range of words that may have a place.
	let from = words;
	let to = 0;
	const fit = () => {
		while (from < to && places[from] === 0) from++;
		while (to > from && places[to - 1] === 0) to--;
	};
	return {
		start() {
			add(places, 0);
			if (has(entries, 0)) add(places, 1);
			from = 0;
			to = Math.max(to, 1);
		},
		pass(code) {
			const moves = movedBy(code);
			const staying = code === slash ? loops : segmentLoops;
			let carried = 0;
			to = Math.min(to + 1, words);
			for (let word = from; word < to; word++) {
				onStep?.();
				const here = places[word] ?? 0;
				const moving = here & (moves[word] ?? 0);
				const moved = (moving << 1) | (carried & 1);
				const entering = moved & (entries[word] ?? 0);
				places[word] = (here & (staying[word] ?? 0)) | moved | (entering << 1) | (carried >>> 1);
				carried = (moving >>> 31) | ((entering >>> 31) << 1);
			}
			// A place that stays after any character makes earlier places unnecessary.
			for (let word = to - 1; word > from; word--) {
				if (((places[word] ?? 0) & (loops[word] ?? 0)) === 0) continue;
				places.fill(0, from, word);
				break;
			}
			fit();
		},
		passUnknown() {
			onStep?.();
			const lowest = places[from] ?? 0;
			if (from >= to) return;
			// These are all bits of a word from its lowest one up.
			places[from] = -(lowest & -lowest);
			places.fill(0xffff_ffff, from + 1);
			places[words - 1] = (places[words - 1] ?? 0) & (0xffff_ffff >>> (31 - (last & 31)));
			to = words;
		},
		isDead: () => from >= to,
		isAtEnd: () => has(places, last),
		save: () => saved.set(places),
		resume() {
			addAll(places, saved);
			from = 0;
			to = words;
			fit();
		},
	};
}

/**
Returns the places that each character moves. Without classes, characters that are not in a token share one row.
*/
function movesByCharacter(
	moves: ReadonlyArray<readonly [place: number, token: PlaceToken]>,
	last: number,
): GlobPlaces['movedBy'] {
	const others = rowFor(last);
	const classes = moves.flatMap(([place, token]) => ('fits' in token ? [{place, fits: token.fits}] : []));
	const named = new Map<number, Uint32Array>();
	for (const [place, token] of moves) if (token.type === 'mark') add(others, place);
	for (const [place, token] of moves) {
		if (token.type === 'segments') add(rowOf(slash), place);
		if (token.type === 'literal') add(rowOf(token.character.codePointAt(0) ?? 0), place);
	}
	const scratch = rowFor(last);
	const ascii: Uint32Array[] = [];
	return code => {
		if (classes.length === 0) return (code < asciiSize ? ascii[code] : undefined) ?? keep(code, find(code));
		return (code < asciiSize ? ascii[code] : undefined) ?? keep(code, withClasses(code));
	};

	function rowOf(code: number): Uint32Array {
		const known = named.get(code) ?? others.slice();
		named.set(code, known);
		return known;
	}
	function find(code: number): Uint32Array {
		return named.get(code) ?? others;
	}
	function withClasses(code: number): Uint32Array {
		scratch.set(find(code));
		const character = String.fromCodePoint(code);
		for (const {place, fits} of classes) if (fits(character)) add(scratch, place);
		return scratch;
	}
	function keep(code: number, row: Uint32Array): Uint32Array {
		if (code >= asciiSize) return row;
		const kept = row === scratch ? row.slice() : row;
		ascii[code] = kept;
		return kept;
	}
}

const asciiSize = 128;

function rowFor(last: number): Uint32Array {
	return new Uint32Array((last >>> 5) + 1);
}

function add(row: Uint32Array, place: number): void {
	row[place >>> 5] = (row[place >>> 5] ?? 0) | (1 << (place & 31));
}

function addAll(row: Uint32Array, others: Uint32Array): void {
	for (let word = 0; word < row.length; word++) row[word] = (row[word] ?? 0) | (others[word] ?? 0);
}

function has(row: Uint32Array, place: number): boolean {
	return ((row[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
}
