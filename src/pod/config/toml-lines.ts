/** Parses a complete TOML document. Throws if the text is invalid. */
type Parse = (text: string) => unknown;

/**
Returns the 1-based line of the statement that defines `path`. A binary search finds the shortest beginning of the
document that defines the path. `text` must be valid TOML. Returns `undefined` if no statement defines the path, for
example because a required key is missing.
*/
export function lineOf(text: string, path: readonly string[], parse: Parse): number | undefined {
	const starts = statementStarts(text);
	const contains = (count: number) => has(parse(text.slice(0, starts[count]?.index)), path);
	let low = 1;
	let high = starts.length;
	if (!contains(high)) return undefined;
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if (contains(middle)) high = middle;
		else low = middle + 1;
	}
	return starts[low - 1]?.line;
}

/** Returns the nesting depth of lists and inline tables in a text, and the 1-based line of the deepest place. */
export function deepestOf(text: string): {readonly depth: number; readonly line: number} {
	let deepest = {depth: 0, line: 1};
	scan(text, ({depth, line}) => {
		if (depth > deepest.depth) deepest = {depth, line};
	});
	return deepest;
}

type Place = {readonly index: number; readonly line: number; readonly depth: number; readonly isLineStart: boolean};

/**
Returns the lines at which a statement may start. These lines are outside of all strings, lists and inline tables.
*/
export function statementStarts(text: string): readonly Place[] {
	const starts: Place[] = [{index: 0, line: 1, depth: 0, isLineStart: true}];
	scan(text, place => {
		if (place.isLineStart && place.depth === 0) starts.push(place);
	});
	return starts;
}

/** Scans a text once. Calls `visit` after each bracket, and at the start of each line outside of strings. */
function scan(text: string, visit: (place: Place) => void): void {
	let depth = 0;
	let line = 1;
	for (let index = 0; index < text.length;) {
		const end = endOfToken(text, index);
		const character = text.charAt(index);
		if (character === '[' || character === '{') depth += 1;
		if (character === ']' || character === '}') depth -= 1;
		line += newlines(text, index, end);
		index = end;
		if (tokensOfNote.has(character)) visit({index, line, depth, isLineStart: character === '\n'});
	}
}

const tokensOfNote: ReadonlySet<string> = new Set(['[', ']', '{', '}', '\n']);

/** Returns the end of a token. A string is one token, a comment is one token, and each other character is one token. */
export function endOfToken(text: string, index: number): number {
	const character = text.charAt(index);
	if (character === '#') return endOfComment(text, index);
	if (character !== '"' && character !== "'") return index + 1;
	const quotes = character.repeat(3);
	if (!text.startsWith(quotes, index)) return endOfText(text, character, index + 1);
	let end = endOfText(text, quotes, index + 3);
	// One or two more quotes may belong to the end of a string in triple quotes.
	for (let more = 0; more < 2 && text[end] === character; more += 1) end += 1;
	return end;
}

function endOfComment(text: string, from: number): number {
	const end = text.indexOf('\n', from);
	return end < 0 ? text.length : end;
}

/**
Returns the end of a string. Only a string in double quotes has escapes, and only a string in triple quotes has line
breaks.
*/
function endOfText(text: string, quotes: string, from: number): number {
	for (let index = from; index < text.length; index += 1) {
		if (quotes.startsWith('"') && text[index] === '\\') index += 1;
		else if (text.startsWith(quotes, index)) return index + quotes.length;
		else if (quotes.length === 1 && text[index] === '\n') return index;
	}
	return text.length;
}

function newlines(text: string, from: number, to: number): number {
	let count = 0;
	for (let index = from; index < to; index += 1) if (text[index] === '\n') count += 1;
	return count;
}

function has(value: unknown, path: readonly string[]): boolean {
	let here = value;
	for (const key of path) {
		if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return false;
		here = Reflect.get(here, key);
	}
	return true;
}
