/** A decoded version of a text, with the positions of its characters in the original. */
export type View = {
	readonly text: string;
	/**
	Returns the position in the original of the character at an offset. The offset may also be the end of the text.
	*/
	readonly origin: (offset: number) => number;
	/** Returns the position in the original at which a part ends. The offset is the end of the part in the view. */
	readonly ending: (offset: number) => number;
	/** The number of times that escapes were decoded. */
	readonly level: number;
};

/** Returns the view of a text as it is. */
export function asItIs(text: string): View {
	return {text, origin: offset => offset, ending: offset => offset, level: 0};
}

/** Returns a view with each code replaced with its meaning. Returns `undefined` if the text contains no codes. */
export function replacedIn(view: View, codes: RegExp, meaningOf: (code: string) => string): View | undefined {
	const {text, level} = view;
	const parts = createParts(view);
	let last = 0;
	for (const {0: code, index} of text.matchAll(codes)) {
		parts.add(text.slice(last, index), last);
		parts.add(meaningOf(code), index);
		last = index + code.length;
	}
	if (last === 0) return undefined;
	parts.add(text.slice(last), last);
	return parts.view(level);
}

type Parts = {
	readonly add: (piece: string, place: number) => void;
	readonly isEmpty: () => boolean;
	readonly view: (level: number) => View;
};

/** Joins parts of a view, and stores the original position of each part. */
export function createParts({text, origin, ending}: View): Parts {
	const pieces: string[] = [];
	// For each part, `starts` contains its offset in the new view, and `places` its offset in the old one.
	const starts = [0];
	const places = [0];
	let length = 0;
	function mark(place: number): void {
		if (starts.at(-1) === length) {
			starts.pop();
			places.pop();
		}
		starts.push(length);
		places.push(place);
	}
	function placeOf(offset: number): number {
		const at = lastAtMost(starts, offset);
		return (places[at] ?? 0) + offset - (starts[at] ?? 0);
	}
	return {
		add(piece, place) {
			mark(place);
			pieces.push(piece);
			length += piece.length;
		},
		isEmpty: () => pieces.length === 0,
		view(level) {
			mark(text.length);
			return {
				level,
				text: pieces.join(''),
				origin: offset => origin(placeOf(offset)),
				ending: offset => ending(placeOf(offset)),
			};
		},
	};
}

/**
Returns the index of the last number that is at most `wanted`. The numbers are in ascending order, and the first number
is 0.
*/
export function lastAtMost(numbers: readonly number[], wanted: number): number {
	let [low, high] = [0, numbers.length - 1];
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((numbers[middle] ?? 0) <= wanted) low = middle;
		else high = middle - 1;
	}
	return low;
}
