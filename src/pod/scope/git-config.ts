import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {homeOf, xdgParent, type Env} from '../ground/env/env.ts';
import {readUpTo} from './small-file.ts';
import {decodePath, encodePath} from '../ground/files/byte-path.ts';
import {errorCode} from '../ground/files/fs-error.ts';

/** The paths in git configurations and in the files that they include. In these paths `~` is expanded. */
export type GitConfig = {
	/** The folders from which git runs files. */
	readonly folders: readonly string[];
	/**
	The files that git may run or take commands from. Most of these entries are not paths, but a wrong entry does no
	harm.
	*/
	readonly files: readonly string[];
	/** The included configurations among the files. Some may not exist. */
	readonly includes: readonly string[];
	/** The programs among the files that settings start by a relative path. Some may not exist. */
	readonly programs: readonly string[];
	/** Whether a configuration is too large for inkpod to read. */
	readonly isTooLarge: boolean;
};

/**
Returns the configurations that apply to every repository of a user, including that of the system. Later ones take
precedence.
*/
export function userConfigPaths(env: Env): readonly string[] {
	const global = env['GIT_CONFIG_GLOBAL'];
	if (global !== undefined && global !== '') return ['/etc/gitconfig', resolve(global)];
	return ['/etc/gitconfig', join(userGitFolder(env), 'config'), join(homeOf(env), '.gitconfig')];
}

/** Returns the folder with the user's `config` and `ignore`. */
export function userGitFolder(env: Env): string {
	return join(xdgParent(env, 'XDG_CONFIG_HOME', join(homeOf(env), '.config')), 'git');
}

/** Reads configurations and their includes. It ignores an unreadable file. */
export async function readGitConfigs(paths: readonly string[], env: Env): Promise<GitConfig> {
	const found = {folders: new Set<string>(), files: new Set<string>(), programs: new Set<string>()};
	const tooLarge: GitConfig = {folders: [], files: [], includes: [], programs: [], isTooLarge: true};
	const queue = [...new Set(paths)];
	for (const [index, path] of queue.entries()) {
		if (index === maxConfigs) return tooLarge;
		const text = await readBeginning(path, maxBytes + 1);
		if (text.length > maxBytes) return tooLarge;
		for (const entry of parseGitConfig(text).entries) {
			const expandHome = (written: string) =>
				written.startsWith('~/') ? join(homeOf(env), written.slice(2)) : written;
			if (folderKeys.test(entry.key)) found.folders.add(expandHome(entry.value));
			else if (includeKeys.test(entry.key)) {
				const included = resolve(dirname(path), expandHome(entry.value));
				found.files.add(included);
				if (!queue.includes(included)) queue.push(included);
			} else {
				for (const word of wordsOf(entry.value)) found.files.add(expandHome(word));
				const program = /^!?\s*([^\s'"`;&|<>()=$]*\/[^\s'"`;&|<>()=$]+)/.exec(entry.value)?.[1];
				if (program !== undefined && programKeys.test(entry.key)) found.programs.add(expandHome(program));
			}
		}
	}
	return {
		folders: [...found.folders],
		files: [...found.files].slice(0, maxFiles),
		includes: queue.slice(new Set(paths).size),
		programs: [...found.programs].slice(0, maxFiles),
		isTooLarge: found.files.size > maxFiles,
	};
}

/** Reads the beginning of a small file. The result is empty if the path is not a readable regular file. */
export async function readBeginning(file: string, limit: number): Promise<string> {
	try {
		await using handle = await open(encodePath(file), constants.O_RDONLY | constants.O_NONBLOCK);
		return (await handle.stat()).isFile() ? decodePath(await readUpTo(limit, handle)) : '';
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return '';
	}
}

/** One entry of a git configuration. The names of sections and keys are in lower case, and values are unquoted. */
export type GitConfigEntry = {
	/** The section and the name, as in `core.autocrlf`. */
	readonly key: string;
	/** What a header has in quotes after the section. It is case-sensitive. */
	readonly subsection?: string;
	/** A name without a value means true. */
	readonly value: string;
};

/** Reads a configuration exactly as git does (git-config(1), "Syntax"). After a broken line it reads the next one. */
export function parseGitConfig(written: string): GitConfigText {
	const text = `${written.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')}\n`;
	const entries: GitConfigEntry[] = [];
	let section: Section = {name: ''};
	let brokenLine: number | undefined;
	for (let at = 0; at < text.length;) {
		const skipped = matchAt(blank, text, at);
		if (skipped !== undefined) at += skipped[0].length;
		if (at >= text.length) break;
		const header = matchAt(headerPattern, text, at);
		const entry = header === undefined ? entryAt(text, at) : undefined;
		if (header !== undefined) {
			section = sectionOf(header);
			at += header[0].length;
		} else if (entry === undefined) {
			brokenLine ??= text.slice(0, at).split('\n').length;
			at = text.indexOf('\n', at) + 1;
		} else {
			const {name, subsection} = section;
			entries.push({
				key: `${name}.${entry.name}`,
				subsection,
				value: entry.value,
			});
			at = entry.end;
		}
	}
	return {entries, brokenLine};
}

const maxBytes = 256 * 1024;

/** The maximum number of configurations, including their includes. */
const maxConfigs = 32;

const maxFiles = 2000;

const folderKeys = /^(?:core\.hookspath|init\.templatedir)$/;

const programKeys = new RegExp(
	String.raw`^(?:alias|pager)\.|\.(?:fsmonitor|editor|pager|sshcommand|askpass|external|command|` +
		String.raw`textconv|clean|smudge|process|driver|program|helper|cmd)$`,
);

const includeKeys = /^include(?:if\b.*)?\.path$/;

/** Returns the words of a value that may be paths. Most of these values are read by a shell. */
function wordsOf(value: string): readonly string[] {
	return value.split(/[\s'"`!;&|<>()=$]+/).filter(word => /[./]/.test(word) && !/:\/\//.test(word));
}

type GitConfigText = {
	readonly entries: readonly GitConfigEntry[];
	/** The number of the first line that git refuses. git then reads nothing from the whole file. */
	readonly brokenLine?: number;
};

type Section = {readonly name: string; readonly subsection?: string};

/** Blanks and comments. A backslash at the end of a comment does not continue it. */
const blank = /(?:[ \t\r\n]|[#;][^\n]*)+/y;

const headerPattern = /\[([a-z\d.-]*)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]/iy;

const namePattern = /([a-z][a-z\d-]*)[ \t]*(=?)/iy;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}

function sectionOf([, name = '', subsection]: RegExpExecArray): Section {
	const lower = name.toLowerCase();
	return subsection === undefined ? {name: lower} : {name: lower, subsection: subsection.replaceAll(/\\(.)/g, '$1')};
}

type Found = {readonly name: string; readonly value: string; readonly end: number};

function entryAt(text: string, at: number): Found | undefined {
	const [found, name = '', sign] = matchAt(namePattern, text, at) ?? [];
	if (found === undefined) return undefined;
	const after = at + found.length;
	if (sign === '=') {
		const read = valueAt(text, after);
		return read && {name: name.toLowerCase(), ...read};
	}
	return text[after] === '\n' ? {name: name.toLowerCase(), value: 'true', end: after} : undefined;
}

const escapes: Readonly<Record<string, string>> = {t: '\t', b: '\b', n: '\n', '\\': '\\', '"': '"', '\n': ''};

/** Returns a value without its quotes, comment, and blanks at both ends. A backslash continues it on the next line. */
function valueAt(text: string, start: number): {readonly value: string; readonly end: number} | undefined {
	let value = '';
	let blanks = '';
	let isQuoted = false;
	let at = start;
	for (; at < text.length && text[at] !== '\n'; at += 1) {
		const character = text[at] ?? '';
		if (!isQuoted && (character === '#' || character === ';')) {
			at = text.indexOf('\n', at);
			break;
		}
		if (!isQuoted && /[ \t\r]/.test(character)) {
			if (value !== '') blanks += character;
			continue;
		}
		const escaped = character === '\\' ? escapes[text[(at += 1)] ?? '\n'] : undefined;
		if (character === '\\' && escaped === undefined) return undefined;
		if (character === '"') isQuoted = !isQuoted;
		else {
			const added = escaped ?? character;
			if (added !== '') value += blanks + added;
			if (added !== '') blanks = '';
		}
	}
	return isQuoted ? undefined : {value, end: at};
}
