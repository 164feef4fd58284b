import {isAbsolute, relative} from 'node:path';
import type {GitRun} from '../../scope/git/run-git.ts';
import type {OwnGit} from '../../scope/git/own-git.ts';

/** A file in the history of a git repository. */
export type FileVersions = {
	/** The paths that the file had, from the top of the working tree. */
	readonly paths: ReadonlySet<string>;
	/** The names of the parents of each version. The names are those of git's objects. */
	readonly parents: ReadonlyMap<string, readonly string[]>;
	/** The contents by their names. Large contents are missing. */
	readonly contents: ReadonlyMap<string, Buffer>;
};

/** The commit that a line came with. All texts are untrusted. */
export type Commit = {
	readonly commit: string;
	readonly author: string;
	readonly at: string;
	readonly subject: string;
};

/** Reads the latest versions of a file that a commit contains, also those under its earlier names. */
export async function fileVersions(git: OwnGit, commit: string, path: string): Promise<FileVersions> {
	const args = ['log', '--follow', '-m', '--raw', '-z', '--no-abbrev', '-M', '--format=%x01', `-n${maxVersions}`];
	const run = await git([...args, commit, '--', path], {maxBytes: maxListBytes, maxMs});
	const parents = new Map<string, string[]>();
	const paths = new Set([path]);
	for (const {old, now, names} of changesIn(outputOf(run))) {
		if (!isNone.test(now)) parents.set(now, [...(parents.get(now) ?? []), ...(isNone.test(old) ? [] : [old])]);
		for (const name of names) paths.add(name);
	}
	const wanted = new Set([...parents].flatMap(([now, olds]) => [now, ...olds]));
	return {paths, parents, contents: await contentsOf(git, [...wanted])};
}

/** Returns the name of the commit that `revision` means, or `undefined` if there is none. */
export async function commitOf(git: OwnGit, revision: string): Promise<string | undefined> {
	const run = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${revision}^{commit}`]);
	return run.type === 'done' ? run.output.toString().trim() : undefined;
}

/** Returns the contents of a file in a commit with the name of its object, or `undefined` if it is not there. */
export async function contentIn(
	git: OwnGit,
	commit: string,
	path: string,
): Promise<{readonly name: string; readonly bytes: Buffer} | undefined> {
	const found = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${commit}:${path}`]);
	if (found.type !== 'done') return undefined;
	const name = found.output.toString().trim();
	const bytes = (await contentsOf(git, [name])).get(name);
	return bytes && {name, bytes};
}

/**
Returns for each line of a file the commit that git blames. Without a commit, the file is that of the working tree, and
lines that are not committed have no commit.
*/
export async function gitBlame(
	git: OwnGit,
	commit: string | undefined,
	path: string,
): Promise<ReadonlyArray<Commit | undefined>> {
	const args = ['blame', '--porcelain', '-w', '-M', ...(commit === undefined ? [] : [commit]), '--', path];
	return readPorcelain(outputOf(await git(args, {maxBytes: maxBlameBytes, maxMs})).toString());
}

/** Returns a path from the top of a repository, or `undefined` for a path outside. */
export function inRepository(top: string, path: string): string | undefined {
	const inside = relative(top, path);
	return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? undefined : inside;
}

function outputOf(run: GitRun): Buffer {
	return run.type === 'done' ? run.output : Buffer.alloc(0);
}

type RawChange = {readonly old: string; readonly now: string; readonly names: readonly string[]};

/** Reads `git log --raw -z`: a field with modes, names and a letter for each change, and then one or two paths. */
function* changesIn(output: Buffer): Generator<RawChange, void, undefined> {
	const fields = output.toString().split('\0');
	for (let at = 0; at < fields.length; at += 1) {
		const [, old, now, kind] = /^\n?:\d+ \d+ ([\da-f]+) ([\da-f]+) ([A-Z])\d*$/.exec(fields[at] ?? '') ?? [];
		if (old === undefined || now === undefined) continue;
		const count = kind === 'R' || kind === 'C' ? 2 : 1;
		yield {old, now, names: fields.slice(at + 1, at + 1 + count)};
		at += count;
	}
}

async function contentsOf(git: OwnGit, names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
	const contents = new Map<string, Buffer>();
	if (names.length === 0) return contents;
	const input = `${names.join('\n')}\n`;
	const run = await git(['cat-file', '--batch'], {input, maxBytes: maxContentBytes, maxMs});
	const output = run.type === 'done' || run.type === 'too_long' ? run.output : Buffer.alloc(0);
	for (let at = 0; at < output.length;) {
		const end = output.indexOf(newline, at);
		if (end === -1) break;
		const [, name, type, size] = /^([\da-f]+) (\w+) (\d+)$/.exec(output.toString('latin1', at, end)) ?? [];
		if (name === undefined) {
			at = end + 1;
			continue;
		}
		const next = end + 1 + Number(size);
		if (next > output.length) break;
		if (type === 'blob') contents.set(name, output.subarray(end + 1, next));
		at = next + 1;
	}
	return contents;
}

/** Reads `git blame --porcelain`. The facts about a commit are only at its first line. */
function readPorcelain(text: string): ReadonlyArray<Commit | undefined> {
	const commits = new Map<string, {-readonly [Key in keyof Commit]: Commit[Key]}>();
	const lines: Array<Commit | undefined> = [];
	let current = {commit: '', author: '', at: '', subject: ''};
	for (const line of text.split('\n')) {
		const [, name, number] = /^([\da-f]{40,64}) \d+ (\d+)/.exec(line) ?? [];
		if (name !== undefined && number !== undefined) {
			current = commits.get(name) ?? {commit: name, author: '', at: '', subject: ''};
			commits.set(name, current);
			lines[Number(number) - 1] = isNone.test(name) ? undefined : current;
		}
		if (line.startsWith('author ')) current.author = line.slice('author '.length);
		if (line.startsWith('author-time ')) current.at = isoTime(line.slice('author-time '.length));
		if (line.startsWith('summary ')) current.subject = line.slice('summary '.length);
	}
	return lines;
}

function isoTime(seconds: string): string {
	return new Date(Number(seconds) * 1000).toISOString();
}

const isNone = /^0+$/;

const newline = 0x0a;

/** The number of commits whose versions of the file are read. */
const maxVersions = 500;

/** The maximum sizes of the list of versions, of the contents together, and of git's blame, in bytes. */
const maxListBytes = 1_048_576;
const maxContentBytes = 64 * 1024 * 1024;
const maxBlameBytes = 64 * 1024 * 1024;

/** The maximum time of a run of git, in milliseconds. */
const maxMs = 20_000;
