/** Counts messages or values in the pieces of an answer, so that a flood ends before anything parses it. */
type Counter = {
	/** Returns the number that this piece adds, at least. */
	readonly count: (piece: Uint8Array) => number;
};

/**
Creates a counter for a stream of events (text/event-stream). It counts each line `data`, with or without a colon,
wherever the pieces are cut. In the data of an event a newline is escaped.
*/
export function createEventCounter(): Counter {
	let before: Buffer = Buffer.from('\n');
	return {
		count(piece) {
			const text = Buffer.concat([before, piece]);
			let count = 0;
			for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
				if (ends.has(text[at - 1] ?? none) && marks.has(text[at + name.length] ?? none)) count++;
			before = Buffer.from(text.subarray(Math.max(0, text.length - name.length - 1)));
			return count;
		},
	};
}

/** Creates a counter for a JSON text. A list counts all its objects. A single message counts nothing. */
export function createListCounter(): Counter {
	let first: number | undefined;
	return {
		count(piece) {
			first ??= piece.find(byte => !blanks.has(byte));
			if (first !== bracket) return 0;
			let count = 0;
			for (let at = piece.indexOf(brace); at >= 0; at = piece.indexOf(brace, at + 1)) count++;
			return count;
		},
	};
}

/**
Creates a counter for the JSON values in any answer, because a short text can become very many of them. A newline ends a
string, as JSON forbids it there.
*/
export function createValueCounter(): Counter {
	let isString = false;
	let isEscaped = false;
	return {
		count(piece) {
			let count = 0;
			for (let at = 0; at < piece.length; at++) {
				const byte = piece[at];
				if (byte === newline || byte === carriageReturn) isString = isEscaped = false;
				else if (isEscaped) isEscaped = false;
				else if (byte === quote) isString = !isString;
				else if (isString) isEscaped = byte === backslash;
				else if (byte === comma || byte === colon || byte === brace || byte === bracket) count++;
			}
			return count;
		},
	};
}

const name = 'data';
const [newline, carriageReturn, colon, none] = [0x0a, 0x0d, 0x3a, -1];
const ends: ReadonlySet<number> = new Set([newline, carriageReturn]);
const marks: ReadonlySet<number> = new Set([newline, carriageReturn, colon]);

const [bracket, brace, comma, quote, backslash] = [0x5b, 0x7b, 0x2c, 0x22, 0x5c];
/** White space of JSON, and the bytes of a BOM. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, newline, carriageReturn, 0xef, 0xbb, 0xbf]);
