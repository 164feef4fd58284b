import {lstat} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import {mayContainCredentials} from '../scope/git-credentials.ts';
import {strictOwners} from '../scope/owners.ts';
import type {Scope} from '../scope/scope.ts';
import {looksSecret} from '../scope/secret.ts';
import {pathContainsCredentials, secretFiles, type SecretFiles} from '../scope/secret-links.ts';
import type {Findings} from './findings.ts';
import {searchBuiltin} from './grep-builtin.ts';
import type {Search, SearchEnd, SearchEngine} from './grep-search.ts';
import {isForeignAbove} from './ignore-rules.ts';
import {folderOf, runRipgrep} from './run-ripgrep.ts';
import {byPath, shownPath} from './search-root.ts';
import {areFoldersUnchanged} from './stable-search.ts';
import {maxWalked} from './walk.ts';

/**
Searches with ripgrep. The processes end with the search, however it ends. ripgrep goes by every .gitignore, whoever
owns it: where one above the start or in it may not be used, the built-in search takes its place.
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
		// Only now is it known how far the search went: the list may have been the quicker one.
		const notes =
			listed.cut && !seen.stopped
				? [`only the first ${maxWalked} files were looked at for names of secrets`]
				: [];
		return {
			ok: true,
			secrets: listed.secrets.filter(path => !isBehind(seen, path)).toSorted(byPath),
			notes: [...found.notes, ...notes],
		};
	};
}

/**
How far a search got, in the order of paths: the last one that it told of, and whether it stopped there. `folders`: the
real ones of all that it told of.
*/
type Seen = {last: string; stopped: boolean; readonly folders: Set<string>; readonly hides: Promise<Hides>};

/** Whether what a file contains is not told, by its real path. A promise only for a file that has to be looked at. */
type Hides = (real: string) => boolean | Promise<boolean>;

/** Where no secret-looking file has a second name, only names are looked at. */
async function createHides(scope: Scope): Promise<Hides> {
	// Whether a file has a second name may have changed since another search.
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
	// One that is stopped finds its output closed, and says that of itself.
	if (seen.stopped) return {ok: true, notes: []};
	if (exitCode === 2 && stderr.trim() !== '')
		return {ok: false, message: `The pattern cannot be searched for: ${stderr.trim().replace(/^rg: /, '')}`};
	return {ok: true, notes: exitCode === 2 ? ['some files could not be read'] : []};
}

/**
What looks like a secret among the files that the search covers, whether the pattern is in it or not: so a pattern
learns nothing of the contents.
Ends where the search has stopped, when that is known in time, and is cut where it went through more files than the
built-in one does.
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

/** Whether a path comes after the place where the search stopped. */
function isBehind({stopped, last}: Seen, path: string): boolean {
	return stopped && byPath(path, last) > 0;
}

/** `--null` puts a NUL byte after each path, so that no name can be taken for a line. */
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
				tell(file.path, rest.slice(nul + 1, end), search, findings);
				seen.last = file.path;
				seen.folders.add(file.folder);
			}
			at = end + 1;
		}
		rest = rest.slice(at);
	};
}

/** What ripgrep says of a binary file, on a line without a NUL byte. */
const binaryNotice = /^(?:.*(?:WARNING: stopped searching binary file|binary file matches) .*\n)+/;

function tell(path: string, row: string, {output}: Search, findings: Findings): void {
	if (output === 'files') findings.file(path, 1);
	else if (output === 'count') findings.file(path, Number(row));
	else {
		const [, number, separator, text] = /^(\d+)([:-])([^]*)$/.exec(row) ?? [];
		if (text !== undefined)
			findings.line({path, number: Number(number), text: text.replace(/\r$/, ''), match: separator === ':'});
	}
}

/** Links are not followed, so what ripgrep names below a real start is a real path. */
function realOf(scope: Scope, named: string): string {
	return resolve(scope.pwd, named);
}
