/** A text as a reader means it, and where its characters are in the original. */
type View = {
	readonly text: string;
	/** Returns the place in the original of the character at an offset. The end of the text has a place, too. */
	readonly origin: (offset: number) => number;
	/** How often its escapes were decoded. */
	readonly level: number;
};

/**
Returns the views of a text in which secrets are searched: as it is, and its lines with escapes as JSON means them,
decoded once and twice.
*/
export function viewsOf(text: string): readonly View[] {
	const views: View[] = [{text: withoutLongTexts(text), origin: offset => offset, level: 0}];
	let view: View | undefined = {text, origin: offset => offset, level: 0};
	while (view.level < maxLevels) {
		view = decoded(view);
		if (view === undefined) break;
		views.push(view);
	}
	return views;
}

/** The long texts in a JSON text are searched when they are decoded. Blanks keep the offsets. */
function withoutLongTexts(text: string): string {
	if (!/^\s{0,80}[[{]/.test(text) || text.length < longText) return text;
	return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, found =>
		found.length < longText || !found.includes('\\') ? found : `"${' '.repeat(found.length - 2)}"`,
	);
}

/** Decodes the lines that have escapes. Returns `undefined` if there are none. */
function decoded({text, origin, level}: View): View | undefined {
	const pieces: string[] = [];
	// Each part begins at an offset of the view, which is at an offset of the text.
	const starts = [0];
	const places = [0];
	let length = 0;
	const add = (piece: string, place: number) => {
		if (starts.at(-1) === length) {
			starts.pop();
			places.pop();
		}
		starts.push(length);
		places.push(place);
		pieces.push(piece);
		length += piece.length;
	};
	for (let at = text.indexOf('\\'), done = 0; at >= 0; at = text.indexOf('\\', done)) {
		const start = Math.max(done, text.lastIndexOf('\n', at) + 1);
		const next = text.indexOf('\n', at);
		const end = next < 0 ? text.length : next + 1;
		let last = start;
		for (let slash = at; slash >= 0 && slash < end; slash = text.indexOf('\\', last)) {
			const {shown, length: taken} = meaningAt(text, slash);
			if (slash > last) add(text.slice(last, slash), last);
			add(shown, slash);
			last = slash + taken;
		}
		if (last < end) add(text.slice(last, end), last);
		done = end;
	}
	if (pieces.length === 0) return undefined;
	return {
		level: level + 1,
		text: pieces.join(''),
		origin(offset) {
			const at = lastAtMost(starts, offset);
			return origin((places[at] ?? 0) + offset - (starts[at] ?? 0));
		},
	};
}

/** Returns the index of the last number that is at most `wanted`. The numbers ascend, and the first is 0. */
function lastAtMost(numbers: readonly number[], wanted: number): number {
	let [low, high] = [0, numbers.length - 1];
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((numbers[middle] ?? 0) <= wanted) low = middle;
		else high = middle - 1;
	}
	return low;
}

/** Returns what an escape means, and its length. Another backslash stays. */
function meaningAt(text: string, at: number): {readonly shown: string; readonly length: number} {
	const letter = text[at + 1] ?? '';
	const shown = escapes.get(letter);
	if (shown !== undefined) return {shown, length: 2};
	const digits = letter === 'u' ? 4 : letter === 'x' ? 2 : 0;
	const code = text.slice(at + 2, at + 2 + digits);
	return code.length === digits && digits > 0 && /^[\da-f]+$/i.test(code)
		? {shown: String.fromCharCode(Number.parseInt(code, 16)), length: 2 + digits}
		: {shown: '\\', length: 1};
}

const escapes: ReadonlyMap<string, string> = new Map([
	['n', '\n'],
	['r', '\r'],
	['t', '\t'],
	['b', '\b'],
	['f', '\f'],
	...['"', "'", '`', '\\', '/'].map(letter => [letter, letter] as const),
]);

/** A text in a JSON text in a JSON text. */
const maxLevels = 2;
const longText = 2000;
