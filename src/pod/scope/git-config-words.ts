import {posix} from 'node:path';

/**
Returns the words in the value of a setting that may be paths, relative to the working tree. Most of these values are
shell commands, and some are the path of a program. A wrong word does no harm, so the command does not have to be parsed
exactly as a shell does. `home`: the value of `$HOME`.
*/
export function wordsOf(value: string, home: string): readonly string[] {
	const found = new Set(value.split(/[\s'"`!;&|<>()=$]+/));
	if (!/^[\w./@:+*~^%-]*$/.test(value)) {
		found.add(value.replace(/^!/, '').trim());
		addShellWords(value, {home, found, depth: 0});
	}
	return [...found].filter(word => /[./]/.test(word) && !/:\/\//.test(word));
}

type Finding = {readonly home: string; readonly found: Set<string>; readonly depth: number};

/** The maximum depth of commands in quotes, as in `sh -c 'a; b'`. Each is parsed as a separate command. */
const maxDepth = 3;

/** The maximum number of folders that a command enters. The other folders are ignored. */
const maxFolders = 8;

function addShellWords(command: string, {home, found, depth}: Finding): void {
	const words = shellWords(command, home);
	const entered = words.flatMap((word, n) => (/^(?:cd|pushd|-C)$/.test(word) ? (words[n + 1] ?? []) : []));
	const folders = [...new Set(entered)].slice(0, maxFolders);
	let isRun = false;
	for (const [n, word] of words.entries()) {
		for (const module of words[n - 1] === '-m' ? modulesOf(word.replaceAll('.', '/'), '/__main__.py', '.py') : [])
			found.add(module);
		for (const path of pathsOf(word)) {
			// A name without a slash or dot may be a path only if it is the argument of a program that runs files.
			const argument = isRun && !/[./]/.test(path) ? `./${path}` : path;
			found.add(argument);
			if (isRun) for (const module of modulesOf(argument, '.js', '.cjs', '.mjs', '/index.js')) found.add(module);
			for (const folder of folders) found.add(posix.join(folder, path));
		}
		if (!word.startsWith('-')) isRun = runner.test(word);
		if (depth < maxDepth && /[\s'"`;&|()]/.test(word)) addShellWords(word, {home, found, depth: depth + 1});
	}
}

/** Returns the files that an interpreter may look for if it gets a name without an extension. */
function modulesOf(name: string, ...ends: readonly string[]): readonly string[] {
	return /[^./]$/.test(name) && !/\.\w+$/.test(name) ? ends.map(end => `${name}${end}`) : [];
}

/** Matches a program that runs the file in its first argument. */
const runner = new RegExp(
	String.raw`^(?:.*\/)?(?:\.|source|exec|env|command|time|nice|nohup|sudo|xargs|\w*sh|` +
		String.raw`python[\d.]*|perl|ruby|node|deno|bun|php|lua)$`,
);

/** Marks the unknown result of a substitution. It is often the working tree, or a folder in the working tree. */
const unknown = '\0';

function pathsOf(word: string): readonly string[] {
	const parts = [word, ...word.split(/[{},:=]+/), word.replace(/^-\w/, '')];
	return parts.flatMap(part => {
		const last = part.lastIndexOf(unknown);
		if (last === -1) return [part];
		const rest = posix.normalize(`/${part.slice(last + 1)}`).slice(1);
		return rest === '' ? [] : [`./${rest}`];
	});
}

/** Splits a command into words as a shell does, and removes quotes. A substitution becomes `unknown`. */
function shellWords(command: string, home: string): readonly string[] {
	const words: string[] = [];
	let [word, isWord, isQuoted] = ['', false, false];
	const end = () => {
		if (isWord) words.push(word);
		[word, isWord] = ['', false];
	};
	tokens.lastIndex = 0;
	for (const [token] of command.matchAll(tokens)) {
		if (token === '"') [isQuoted, isWord] = [!isQuoted, true];
		else if (!isQuoted && separators.test(token)) end();
		else {
			isWord = true;
			if (!isQuoted && token.length > 1 && token.startsWith("'")) word += token.slice(1, -1);
			else if (token.length > 1 && token.startsWith('\\')) word += token.slice(1);
			else if (/^\$(?:HOME|\{HOME\})$/.test(token)) word += home;
			else if (/^\$./s.test(token) || token.startsWith('`')) word += unknown;
			else word += token;
		}
	}
	end();
	return words;
}

const separators = /^[\s;&|<>()!]$/;
/** Matches quoted texts, characters after a backslash, substitutions, and other single characters. */
const tokens = new RegExp(
	[
		String.raw`\\[^]`,
		"'[^']*'",
		String.raw`\$\{[^{}]*\}`,
		String.raw`\$\([^()]*\)`,
		'`[^`]*`',
		String.raw`\$\w+`,
		'[^]',
	].join('|'),
	'g',
);
