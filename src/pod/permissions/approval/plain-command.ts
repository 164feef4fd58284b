/**
Tells whether a text is one simple command in every usual shell: words of harmless characters and quoted texts,
separated by blanks. The shell does not expand, join, redirect, assign or evaluate anything in such a text, so a rule
about the text is a rule about the program that runs.
*/
export function isPlainCommand(command: string): boolean {
	if (command.length > maxLength || !plain.test(command) || expansion.test(command)) return false;
	const words = command.trim().split(/ +/);
	const [first = ''] = words;
	return (
		!first.includes('=') &&
		!evaluators.has(first.slice(first.lastIndexOf('/') + 1)) &&
		!words.some(word => startsExpansion.test(word))
	);
}

/**
Returns a command (`outer`), and every text in quotes or in a substitution in it, at any depth (`inner`). In each
returned text, quoted parts contain only characters of words, because the shell reads a quoted part as a part of one
word: `git -c 'a;b' push` runs `push`. Returns `undefined` if the texts are nested too deeply or are too long.
*/
export function quotedTexts(command: string): QuotedTexts | undefined {
	const all: Array<ReadonlySet<string>> = [];
	let texts = [command];
	let left = maxTotal;
	for (let depth = 0; texts.length > 0; depth++) {
		left -= texts.reduce((sum, {length}) => sum + length, 0);
		if (depth > maxDepth || left < 0) return undefined;
		const inner: string[] = [];
		const shown = new Set<string>();
		for (const text of texts) {
			const {rest, documents} = withoutDocuments(text);
			inner.push(...documents);
			// A comment or a here-document may contain an unpaired quote, so each line is also read by itself.
			for (const one of new Set([text, rest])) shown.add(closedQuotes(one, inner));
			if (text.includes('\n'))
				shown.add(
					text
						.split('\n')
						.map(line => closedQuotes(line, []))
						.join('\n'),
				);
		}
		all.push(shown);
		texts = [...new Set(inner)];
	}
	const [outer, ...others] = all;
	return {outer: [...(outer ?? [])], inner: [...new Set(others.flatMap(one => [...one]))]};
}

const maxLength = 4096;

/**
A plain word contains no invisible characters, nothing that only looks like a blank, and no special character of the
shell.
*/
const plainWord = [
	String.raw`(?:[\p{L}\p{N}_./:,+@%=^~-]`,
	String.raw`'[^'\p{C}\p{Zl}\p{Zp}]*'`,
	String.raw`"[^"$\x60\\!\p{C}\p{Zl}\p{Zp}]*")+`,
].join('|');

const plain = new RegExp(`^ *${plainWord}(?: +${plainWord})* *$`, 'u');

/**
These expansions are not allowed even in quotes, because some builtins expand their arguments (`test -v 'a[$(id)]'`).
*/
const expansion = /\$[({[]|`/;

/** The shell may expand such a word to a home folder, and zsh also to the path of a program or by a pattern. */
const startsExpansion = /^[~=^]|[:=]~/;

/** Shell keywords that turn a text into several commands, and commands that run their arguments. */
const evaluators: ReadonlySet<string> = new Set([
	'if',
	'then',
	'else',
	'elif',
	'fi',
	'for',
	'foreach',
	'while',
	'until',
	'do',
	'done',
	'case',
	'esac',
	'select',
	'function',
	'time',
	'coproc',
	'repeat',
	'.',
	'source',
	'eval',
	'exec',
	'command',
	'builtin',
	'trap',
	'alias',
	'export',
	'declare',
	'typeset',
	'local',
	'readonly',
	'set',
	'shopt',
	'setopt',
	'enable',
	'hash',
	'let',
	'noglob',
	'nocorrect',
	'complete',
	'compgen',
	'bind',
	'mapfile',
	'readarray',
	'read',
	'jobs',
	'fc',
	'unset',
	'emulate',
	'autoload',
	'zmodload',
	'sched',
	'bindkey',
]);

/** `inner`: the texts in quotes and in substitutions. They may be scripts, or only values. */
type QuotedTexts = {readonly outer: readonly string[]; readonly inner: readonly string[]};

const maxDepth = 8;

/** The maximum number of characters of all texts together. */
const maxTotal = 262_144;

/**
Replaces the quoted parts of a text with characters of words. Adds the texts in quotes and in substitutions to `inner`.
*/
function closedQuotes(text: string, inner: string[]): string {
	const pieces: string[] = [];
	let at = 0;
	while (at < text.length) {
		const end = pieceEnd(text, at);
		const piece = text.slice(at, end);
		pieces.push(end - at > 1 ? closedPiece(piece, inner) : piece);
		at = end;
	}
	return pieces.join('');
}

function closedPiece(piece: string, inner: string[]): string {
	if (piece.startsWith('#')) return piece;
	if (piece.startsWith('\\')) return piece === '\\\n' ? '' : `\\${inWord(piece.slice(1))}`;
	const content = piece.replace(/^\$?['"]|['"]$/g, '');
	if (!special.test(content)) return piece;
	if (piece.startsWith("'")) {
		inner.push(content);
		return `'${inWord(content)}'`;
	}
	inner.push(content.replaceAll(/\\(["'\\$`])/g, '$1'), ...substitutions(content));
	// The result of an expansion is unknown.
	return piece.startsWith('$') ? '$_' : `"${inWord(content.replaceAll('`', '$'), '$')}"`;
}

const special = /[^\p{L}\p{N}_./:@%+=,-]/u;

function inWord(text: string, kept = ''): string {
	return text.replaceAll(/[^\p{L}\p{N}_./:@%+=,-]/gu, character => (character === kept ? kept : '_'));
}

/**
Returns the end of the piece that begins here: a quoted text, a substitution, an escaped character, a comment, or one
character.
*/
function pieceEnd(text: string, at: number, depth = 0): number {
	const here = text[at];
	if (here === '\\') return Math.min(at + 2, text.length);
	if (here === "'") return endAt(text, text.indexOf("'", at + 1));
	if (here === '"') return doubleEnd(text, at + 1, depth);
	if (here === '$' && text[at + 1] === "'") return endAfter(text, at + 2, ansiEnd);
	if (here === '#' && (at === 0 || /[\s;&|()`]/.test(text[at - 1] ?? ''))) return endAfter(text, at, lineEnd);
	return at + 1;
}

const ansiEnd = /(?:[^'\\]|\\[^])*'?/y;

const lineEnd = /[^\n]*/y;

function endAfter(text: string, at: number, pattern: RegExp): number {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : text.length;
}

/** Returns the end of a quoted text. If there is no closing quote, this is the end of the command. */
function endAt(text: string, last: number): number {
	return last < 0 ? text.length : last + 1;
}

/** Returns the end of a text in double quotes. A substitution in it may itself contain quotes. */
function doubleEnd(text: string, from: number, depth: number): number {
	let at = from;
	while (at < text.length && text[at] !== '"') {
		if (text[at] === '\\') at += 2;
		else if (text[at] === '$' && text[at + 1] === '(') at = substitutionEnd(text, at + 2, depth + 1);
		else at++;
	}
	return Math.min(at + 1, text.length);
}

/**
Returns the place after the parenthesis that ends a substitution. If the substitution is nested too deeply, returns the
end of the text.
*/
function substitutionEnd(text: string, from: number, depth = 0): number {
	let [at, open] = [depth > maxNested ? text.length : from, 1];
	while (at < text.length && open > 0) {
		if (text[at] === '(') open++;
		else if (text[at] === ')') open--;
		at = '\'"\\$#'.includes(text[at] ?? '') ? pieceEnd(text, at, depth) : at + 1;
	}
	return at;
}

const maxNested = 40;

/** Returns the commands in the substitutions of a text. */
function substitutions(text: string): readonly string[] {
	const found: string[] = [];
	for (let at = text.indexOf('$('); at >= 0; at = text.indexOf('$(', at)) {
		const end = substitutionEnd(text, at + 2);
		found.push(text.slice(at + 2, end).replace(/\)$/, ''));
		at = end;
	}
	return found;
}

/** Removes the here-documents (`<<E`) from a command, and returns them separately. */
function withoutDocuments(text: string): {readonly rest: string; readonly documents: readonly string[]} {
	if (!text.includes('<<')) return {rest: text, documents: []};
	const [rest, documents]: [string[], string[]] = [[], []];
	const lines = text.split('\n');
	const last = new Map(lines.map((line, index) => [line.trim(), index] as const));
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at] ?? '';
		rest.push(line);
		for (const [, , word = ''] of line.matchAll(documentStart)) {
			if ((last.get(word) ?? 0) <= at) continue;
			const from = at + 1;
			do at++;
			while (lines[at]?.trim() !== word);
			documents.push(lines.slice(from, at).join('\n'));
		}
	}
	return {rest: rest.join('\n'), documents};
}

const documentStart = /<<-?[ \t]{0,9}\\?(["']?)([\w.-]{1,60})\1/g;
