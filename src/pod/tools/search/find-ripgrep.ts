import {realpathSync, lstatSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, resolve, join} from 'node:path';
import {findProgram, isProgram} from '../../platform/programs.ts';
import {systemOf} from '../../platform/system.ts';
import type {Scope} from '../../scope/scope.ts';
import {en} from '../../../language/index.ts';
import {lstat} from 'node:fs/promises';
import {mayContainCredentials} from '../../scope/git-programs.ts';
import {strictOwners} from '../../scope/owners.ts';
import {looksSecret} from '../../scope/secret.ts';
import {pathContainsCredentials, secretFiles, type SecretFiles} from '../../scope/secret-links.ts';
import type {Findings} from './walk.ts';
import {searchBuiltin} from './grep-builtin.ts';
import type {Search, SearchEnd, SearchEngine} from './grep-search.ts';
import {isForeignAbove, ignoreRules} from './ignore-rules.ts';
import {byPath, shownPath} from './search-root.ts';
import {areFoldersUnchanged} from './search-root.ts';
import {maxWalked} from './walk.ts';
import {StringDecoder} from 'node:string_decoder';
import {contains} from '../../ground/files/contains.ts';
import {gitRoot} from '../../scope/git-root.ts';

/**
Returns the absolute path of ripgrep: `rg` in PATH, or otherwise the program of @vscode/ripgrep if the user has
installed that package. Skips a relative entry of PATH and a program in the scope, because inkpod never runs a project's
own files.
*/
export function findRipgrep(
	path: string | undefined,
	scope: Scope,
	resolvePackage: ResolvePackage = createRequire(import.meta.url).resolve,
): string | undefined {
	const found = findProgram('rg', path, scope.pwd) ?? packedRipgrep(resolvePackage);
	return found !== undefined && isProgram(found, scope.pwd) ? realpathSync(found) : undefined;
}

/**
Creates the engine that searches with ripgrep. Its processes end when the search ends. ripgrep uses every .gitignore,
whoever owns that file. If one of these files must not be used, the built-in search replaces ripgrep.
*/
export function ripgrepEngine(rg: string): SearchEngine {
	return async (search, findings) => {
		const {
			start,
			scope: {pwd, owners = strictOwners},
		} = search;
		if (isForeignAbove(folderOf(start), pwd, owners)) return searchBuiltin(search, findings);
		const hides = createHides(search.scope);
		const seen: Seen = {last: '', stopped: false, folders: new Set(), hides};
		const [found, listed] = await Promise.all([
			runSearch(rg, search, findings, seen),
			listSecrets(rg, search, seen),
		]);
		search.signal.throwIfAborted();
		if (!(await areFoldersUnchanged(search.scope, seen.folders, search.since))) return 'moved';
		if (!found.ok) return found;
		// The listing of secrets may have ended before the search, so `seen.stopped` is final only now.
		const notes =
			listed.cut && !seen.stopped
				? [en`only the names of the first ${maxWalked} files were checked for secrets`]
				: [];
		return {
			ok: true,
			secrets: listed.secrets.filter(path => !isBehind(seen, path)).toSorted(byPath),
			notes: [...found.notes, ...notes],
		};
	};
}

/** Returns the file of a module. Throws if the module does not exist. */
type ResolvePackage = (specifier: string, options?: {readonly paths?: string[]}) => string;

/** Returns the program of @vscode/ripgrep. Each platform has its own package. No code of these packages runs. */
function packedRipgrep(resolvePackage: ResolvePackage): string | undefined {
	try {
		const beside = dirname(resolvePackage('@vscode/ripgrep'));
		return resolvePackage(`@vscode/ripgrep-${systemOf().name}-${process.arch}/bin/rg`, {
			paths: [beside],
		});
	} catch {
		return undefined;
	}
}

/**
The progress of a search in the order of paths: the last reported path, and whether the search stopped there. `folders`
are the real folders of all reported files.
*/
type Seen = {last: string; stopped: boolean; readonly folders: Set<string>; readonly hides: Promise<Hides>};

/**
Tells whether the contents of a file must be hidden, by its real path. The function returns a promise only if it must
read the file.
*/
type Hides = (real: string) => boolean | Promise<boolean>;

/** Creates the check for hidden files. It checks only names if no secret has a hard link, that is, a second name. */
async function createHides(scope: Scope): Promise<Hides> {
	// A file may have got a second name since an earlier search.
	const secrets = await secretFiles(scope, {maxAgeMs: 0});
	return real => {
		if (looksSecret(real)) return true;
		if (mayContainCredentials(real)) return pathContainsCredentials(real);
		return secrets.areLinked && isOneOf(secrets, real);
	};
}

async function isOneOf(secrets: SecretFiles, real: string): Promise<boolean> {
	const stats = await lstat(real).catch(() => undefined);
	return stats !== undefined && stats.nlink > 1 && secrets.has(stats);
}

async function runSearch(
	rg: string,
	search: Search,
	findings: Findings,
	seen: Seen,
): Promise<Exclude<SearchEnd, {ok: true}> | {readonly ok: true; readonly notes: readonly string[]}> {
	const {output, context, pattern} = search;
	const mode = {
		content: [
			'--line-number',
			'--no-heading',
			'--max-columns=4096',
			'--max-columns-preview',
			'--no-context-separator',
			`--context=${context}`,
		],
		files: ['--files-with-matches'],
		count: ['--count'],
	}[output];
	const parser = parserFor(search, findings, seen);
	const {exitCode, stderr} = await runRipgrep(
		rg,
		[...mode, '--sort=path', '--with-filename', '--null', '--crlf', '--no-messages', `--regexp=${pattern}`],
		search,
		async text => {
			await parser(text);
			seen.stopped = findings.full;
			return !seen.stopped;
		},
	);
	// If ripgrep was stopped, it reports that its output was closed. That is not an error.
	if (seen.stopped) return {ok: true, notes: []};
	if (exitCode === 2 && stderr.trim() !== '')
		return {ok: false, message: en`The pattern cannot be searched for: ${stderr.trim().replace(/^rg: /, '')}`};
	return {ok: true, notes: exitCode === 2 ? [en`some files could not be read`] : []};
}

/**
Lists the files of a search that look like secrets, with or without a match. So a pattern reveals nothing about their
contents. The list ends where the search stopped, if that is known in time. The list also ends when it is longer than
the list of the built-in search would be.
*/
async function listSecrets(
	rg: string,
	search: Search,
	seen: Seen,
): Promise<{readonly secrets: readonly string[]; readonly cut: boolean}> {
	const secrets: string[] = [];
	let rest = '';
	let listed = 0;
	await runRipgrep(rg, ['--files', '--sort=path', '--null', '--no-messages'], search, async text => {
		const files = (rest + text).split('\0');
		rest = files.pop() ?? '';
		const real = files.slice(0, maxWalked - listed).map(file => realOf(search.scope, file));
		listed += files.length;
		for (const file of await hidden(real, await seen.hides)) {
			const path = shownPath(search.scope, file);
			if (!search.accepts(path)) continue;
			secrets.push(path);
			seen.folders.add(dirname(file));
		}
		const last = real.at(-1);
		return listed <= maxWalked && !(last !== undefined && isBehind(seen, shownPath(search.scope, last)));
	});
	return {secrets, cut: listed > maxWalked};
}

async function hidden(files: readonly string[], hides: Hides): Promise<readonly string[]> {
	const found: string[] = [];
	for (const file of files) {
		const answer = hides(file);
		if (typeof answer === 'boolean' ? answer : await answer) found.push(file);
	}
	return found;
}

/** Tells whether a path comes after the place where the search stopped. */
function isBehind({stopped, last}: Seen, path: string): boolean {
	return stopped && byPath(path, last) > 0;
}

/**
Returns a parser for ripgrep's output. The flag `--null` adds a NUL byte after each path, so that no name can be
mistaken for a line.
*/
function parserFor(search: Search, findings: Findings, seen: Seen): (text: string) => Promise<void> {
	const judge = async (raw: string) => {
		const real = realOf(search.scope, raw);
		const path = shownPath(search.scope, real);
		return {raw, path, folder: dirname(real), accepted: search.accepts(path) && !(await (await seen.hides)(real))};
	};
	let file: Awaited<ReturnType<typeof judge>> | undefined;
	let rest = '';
	return async text => {
		rest += text;
		let at = 0;
		for (;;) {
			const nul = rest.indexOf('\0', at);
			if (nul < 0) break;
			const end = search.output === 'files' ? nul : rest.indexOf('\n', nul);
			if (end < 0) break;
			const raw = rest.slice(at, nul).replace(binaryNotice, '');
			if (file?.raw !== raw) file = await judge(raw);
			if (file.accepted && !findings.full) {
				report(file.path, rest.slice(nul + 1, end), search, findings);
				seen.last = file.path;
				seen.folders.add(file.folder);
			}
			at = end + 1;
		}
		rest = rest.slice(at);
	};
}

/** ripgrep's message about a binary file. This message is on a line without a NUL byte. */
const binaryNotice = /^(?:.*(?:WARNING: stopped searching binary file|binary file matches) .*\n)+/;

function report(path: string, row: string, {output}: Search, findings: Findings): void {
	if (output === 'files') findings.file(path, 1);
	else if (output === 'count') findings.file(path, Number(row));
	else {
		const [, number, separator, text] = /^(\d+)([:-])([^]*)$/.exec(row) ?? [];
		if (text !== undefined)
			findings.line({path, number: Number(number), text: text.replace(/\r$/, ''), match: separator === ':'});
	}
}

/** Returns the real path of a result. ripgrep follows no links, so a result below a real start is a real path. */
function realOf(scope: Scope, named: string): string {
	return resolve(scope.pwd, named);
}

/** Runs ripgrep for a search. `take` gets the output piece by piece, and returns whether to continue. */
async function runRipgrep(
	rg: string,
	args: readonly string[],
	{scope, start, signal}: Search,
	take: (text: string) => Promise<boolean>,
): Promise<{readonly exitCode: number | undefined; readonly stderr: string}> {
	const {execa} = await import('execa');
	const path = shownPath(scope, start.real);
	const child = execa(
		rg,
		['--no-config', '--color=never', '--hidden', '--glob=!.git', ...ignoreFlags(scope, start), ...args, '--', path],
		{
			cwd: scope.pwd,
			env: {},
			extendEnv: false,
			stdin: 'ignore',
			buffer: false,
			encoding: 'buffer',
			reject: false,
			cancelSignal: signal,
			forceKillAfterDelay: 500,
		},
	);
	let stderr = '';
	child.stderr.on('data', (bytes: Uint8Array) => {
		if (stderr.length < 4000) stderr += Buffer.from(bytes).toString().slice(0, 4000);
	});
	const decoder = new StringDecoder('utf8');
	try {
		for await (const bytes of child.stdout) {
			if (!(await take(decoder.write(bytes as Buffer)))) break;
		}
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		child.kill('SIGKILL');
	}
	const {exitCode} = await child;
	return {exitCode, stderr};
}

/**
Returns the flags that select the same files as the built-in walk. Only .gitignore files count, up to the git root, or
up to `pwd` if there is no git root.
*/
function ignoreFlags(scope: Scope, start: Search['start']): readonly string[] {
	const only = ['--no-ignore-dot', '--no-ignore-exclude', '--no-ignore-global'];
	const directory = folderOf(start);
	const skipped = start.kind === 'directory' && ignoreRules(start.real, scope.pwd, scope.owners).startIgnored;
	if (gitRoot(directory, scope.owners) !== undefined) return [...only, ...(skipped ? ['--no-ignore-parent'] : [])];
	const own = join(scope.pwd, '.gitignore');
	const outer =
		!skipped &&
		directory !== scope.pwd &&
		contains(scope.pwd, directory) &&
		lstatSync(own, {throwIfNoEntry: false})?.isFile() === true;
	return [...only, '--no-require-git', '--no-ignore-parent', ...(outer ? [`--ignore-file=${own}`] : [])];
}

/** Returns the folder in which a search starts. The start itself may be a file. */
function folderOf(start: Search['start']): string {
	return start.kind === 'directory' ? start.real : dirname(start.real);
}
