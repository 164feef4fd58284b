import type {Places} from './text-glob.ts';

/**
Returns a text in any language as a sequence of words. One blank replaces everything between two words, so `run(["git",
"push"])` reads as `run git push`. A command may begin at each word, after the last slash of a path, and after an option
of one letter.
*/
export function wordsOf(text: string): Places {
	const symbols: string[] = [];
	const starts = new Set<number>();
	const ends = new Set<number>();
	const hasScript = scriptProgram.test(text);
	for (const [piece] of text.matchAll(pieces)) {
		if (wordPiece.test(piece)) {
			for (const start of startsOf(piece, hasScript)) starts.add(symbols.length + start);
			if (hasScript) for (const {index} of piece.matchAll(/\//g)) ends.add(symbols.length + index);
			for (const character of piece) symbols.push(character);
		} else {
			if (/\S/.test(piece)) ends.add(symbols.length);
			symbols.push(' ');
		}
	}
	return {symbols, starts, ends};
}

/**
Matches a word, or the characters between two words. An escape like `\n` of another language also separates words.
*/
const pieces = /[\p{L}\p{N}_./-]+|(?:\\[a-z_]?|[^\p{L}\p{N}_./\\-])+/gu;
const wordPiece = /^[\p{L}\p{N}_./-]/u;

/** Programs whose scripts use slashes in place of quotes: `s/x/command/e`. */
const scriptProgram = /(?:^|[^\w-])(?:g?sed|ed|ex|n?vim?|perl|ruby|awk)/;

function startsOf(word: string, hasScript: boolean): readonly number[] {
	const characters = Array.from(word);
	const slashes = characters.flatMap((character, at) => (character === '/' ? [at + 1] : []));
	const starts = [0, ...(hasScript ? slashes : slashes.slice(-1))];
	// The two letters may also be two options: `ls -lrm`.
	if (/^-[A-Za-z].{3}/u.test(word)) starts.push(2);
	if (hasScript && /^-[A-Za-z]{2}/.test(word)) starts.push(3);
	return hasScript ? starts.flatMap(start => [start, ...sedCommands(characters, start)]) : starts;
}

/**
The command `e` of sed runs the rest of its line, and `w` and `W` write to the file that it names: `1eprogram`. Flags of
an address may come before it, and the option `-e` may be attached: `-ne1eprogram`.
*/
function sedCommands(characters: readonly string[], start: number, depth = 0): readonly number[] {
	let at = start;
	while (at < characters.length && /[\dIM]/.test(characters[at] ?? '')) at++;
	if (!/^[ewW]$/.test(characters[at] ?? '')) return [];
	return [at + 1, ...(depth < maxNested ? sedCommands(characters, at + 1, depth + 1) : [])];
}

const maxNested = 2;
