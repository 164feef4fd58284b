/** Limits of a line of JSON. They are checked before parsing, because a short text can become a very large value. */
export type ShapeLimits = {readonly maxDepth: number; readonly maxValues: number};

/**
The limits for messages between a pod and its attached clients. The ledger of a session with 200,000 items has about
2,000,000 values.
*/
export const wireShape: ShapeLimits = {maxDepth: 1000, maxValues: 4_000_000};

/**
Counts the values of a line of JSON without parsing it. Counts at least as many as a parser would create. Returns
`undefined` if the line is nested too deeply or has too many values. Does not check that the JSON is valid.
*/
export function countValues(line: Buffer, {maxDepth, maxValues}: ShapeLimits): number | undefined {
	let depth = 0;
	let values = 1;
	for (let at = 0; at < line.length; at += 1) {
		const byte = line[at];
		if (byte === quote) {
			at = endOfString(line, at);
		} else if (byte === comma || byte === colon) {
			values += 1;
		} else if (byte === openBrace || byte === openBracket) {
			values += 1;
			depth += 1;
		} else if (byte === closeBrace || byte === closeBracket) {
			depth -= 1;
		}
		if (depth > maxDepth || values > maxValues) return undefined;
	}
	return values;
}

/** Returns the index of the closing quote, or the end of the line if there is none. */
function endOfString(line: Buffer, start: number): number {
	for (let from = start + 1; ;) {
		const end = line.indexOf(quote, from);
		if (end < 0) return line.length;
		let slashes = 0;
		while (line[end - 1 - slashes] === backslash) slashes += 1;
		if (slashes % 2 === 0) return end;
		from = end + 1;
	}
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
