import {readFile, stat} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {maxBackupBytes} from '../../disk/bodies/pasted.ts';
import type {Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {realFiles, type Files} from '../../disk/files.ts';
import {foundIn} from '../../disk/list/list.ts';
import {fileChangesIn, type FileChange} from '../../disk/records/file-changes.ts';
import {historiesIn} from '../../disk/records/session-records.ts';
import {withOwnGit, type OwnGit} from '../../scope/git/own-git.ts';
import {findRepository} from '../../scope/git/repository.ts';
import type {Owners} from '../../scope/scope.ts';
import {createContents, type Contents} from './contents.ts';
import {commitOf, contentIn, fileVersions, gitBlame, inRepository, type Commit} from './file-versions.ts';
import {distance, lineOrigins, type Step} from './line-origins.ts';
import {createLineNumbers, textLines} from './match-lines.ts';
import {blameTexts} from './texts.ts';

/** A line of a file, and what wrote it. */
export type BlamedLine = {
	readonly text: string;
	/** The changes that may have written the line: one if it is certain, none if no session wrote it. */
	readonly changes: readonly FileChange[];
	/** Whether the contents decide. Otherwise the changes and the commit are candidates. */
	readonly isCertain: boolean;
	/** The commit of a line that no session wrote. Absent if git does not know the line either. */
	readonly commit?: Commit | undefined;
};

export type Blame =
	| {
			readonly ok: true;
			readonly lines: readonly BlamedLine[];
			/** The commit of the file, or the commit on which the working tree is based. */
			readonly commit?: string | undefined;
			/** The path from the top of the repository, or from the directory of the project. */
			readonly path: string;
			/** Sentences about damaged sessions, and about a repository that cannot be used. */
			readonly problems: readonly string[];
	  }
	| {readonly ok: false; readonly sentence: string};

type BlameOptions = {
	/** The real path of the file. */
	readonly file: string;
	/** The real path of the directory of the project, and the folder of its sessions. */
	readonly pwd: string;
	readonly sessions: string;
	/** The commit that contains the file. Without it, the file in the working tree is meant. */
	readonly revision?: string | undefined;
	readonly owners: Owners | undefined;
	readonly env: Env;
	readonly files?: Files;
};

/** Finds the calls that wrote the lines of a file. It only reads. */
export async function blame(options: BlameOptions): Promise<Blame> {
	const {pwd, owners, env, revision, file} = options;
	const found = await findRepository(pwd, owners, env);
	if (found?.ok === true) {
		const {repository} = found;
		const made = await withOwnGit(repository, {env}, async git => blameIn(options, {git, top: repository.top}));
		if (made.ok) return made.value;
		return revision === undefined ? blameIn(options, undefined, [made.sentence]) : made;
	}
	if (revision !== undefined) return {ok: false, sentence: found?.sentence ?? blameTexts.noRepository(file)};
	return blameIn(options, undefined, found === undefined ? [] : [found.sentence]);
}

type Git = {readonly git: OwnGit; readonly top: string};

async function blameIn(options: BlameOptions, git?: Git, notes: readonly string[] = []): Promise<Blame> {
	const {file, pwd, sessions, files = realFiles} = options;
	const contents = createContents(files);
	const target = await findTarget(options, git, contents);
	if (!target.ok) return target;
	const recorded = await changesIn(sessions, files);
	const {hash, parents, isPresent} = target;
	const names = new Set([file, ...[...target.paths].map(path => join(git?.top ?? pwd, path))]);
	const begun = [hash, ...[...parents].flatMap(([version, olds]) => (olds.length === 0 ? [version] : []))];
	const place = {names, pwd, begun, files};
	const changes = await stepsOf(place, recorded.changes, contents);
	const text = contents.text(hash);
	if (text === undefined) return {ok: false, sentence: blameTexts.notText(file)};
	const numbers = createLineNumbers();
	const known = new Map<string, ReturnType<typeof numbers.of> | undefined>();
	const lines = (each: string) => {
		if (!known.has(each)) known.set(each, linesOf(contents.text(each), numbers));
		return known.get(each);
	};
	const origins = lineOrigins(hash, {
		changes,
		lines,
		parents,
		present: isPresent ? hash : undefined,
		weight: numbers.weight,
	});
	const commits = origins.every(origin => origin.length > 0 && !origin.includes(undefined))
		? []
		: await target.commits();
	return {
		ok: true,
		lines: textLines(text).map((line, index) => {
			const origin = origins[index] ?? [];
			const found = origin.flatMap(step => step?.change ?? []);
			const isOutside = found.length === 0 || origin.includes(undefined);
			return {
				text: line,
				changes: found,
				isCertain: origin.length < 2,
				...(isOutside && {commit: commits[index]}),
			};
		}),
		commit: target.commit,
		path: target.path,
		problems: [...notes, ...recorded.problems],
	};
}

function linesOf(text: string | undefined, numbers: ReturnType<typeof createLineNumbers>) {
	return text === undefined ? undefined : numbers.of(text);
}

type Target =
	| {
			readonly ok: true;
			/** The hash of the contents that are blamed. */
			readonly hash: string;
			readonly isPresent: boolean;
			readonly commit?: string | undefined;
			readonly path: string;
			readonly paths: ReadonlySet<string>;
			/** The hashes of the parents of each version. */
			readonly parents: ReadonlyMap<string, readonly string[]>;
			readonly commits: () => Promise<ReadonlyArray<Commit | undefined>>;
	  }
	| {readonly ok: false; readonly sentence: string};

/** Finds the contents that are blamed, and the versions of the file in git before them. */
async function findTarget(
	{file, pwd, revision}: BlameOptions,
	repository: Git | undefined,
	contents: Contents,
): Promise<Target> {
	const isPresent = revision === undefined;
	const present = isPresent ? await readPresent(file) : undefined;
	if (isPresent && present === undefined) return {ok: false, sentence: blameTexts.unreadable(file)};
	const path = repository === undefined ? relative(pwd, file) : inRepository(repository.top, file);
	const none = {paths: new Set<string>(), parents: new Map<string, string[]>(), commits: async () => []};
	const plain = present && {ok: true as const, hash: contents.add(present), isPresent, path: path ?? file, ...none};
	if (repository === undefined || path === undefined)
		return plain ?? {ok: false, sentence: blameTexts.noRepository(file)};
	const {git} = repository;
	const commit = await commitOf(git, revision ?? 'HEAD');
	if (commit === undefined) return plain ?? {ok: false, sentence: blameTexts.noCommit(revision ?? 'HEAD')};
	const base = await contentIn(git, commit, path);
	const found = await fileVersions(git, commit, path);
	const hashes = new Map([...found.contents].map(([name, bytes]) => [name, contents.add(bytes)]));
	const hashOf = (name: string) => hashes.get(name) ?? [];
	const parents = new Map<string, string[]>();
	for (const [name, olds] of found.parents) {
		for (const hash of [hashOf(name)].flat())
			parents.set(
				hash,
				[...(parents.get(hash) ?? []), ...olds.flatMap(hashOf)].filter(old => old !== hash),
			);
	}
	const baseHash = base && contents.add(base.bytes);
	const hash = plain?.hash ?? baseHash;
	if (hash === undefined) return {ok: false, sentence: blameTexts.notInCommit(path, revision ?? 'HEAD')};
	if (baseHash !== undefined && hash !== baseHash && !parents.has(hash)) parents.set(hash, [baseHash]);
	const commits = async () => gitBlame(git, isPresent ? undefined : commit, path);
	return {ok: true, hash, isPresent, commit, path, paths: found.paths, parents, commits};
}

type Recorded = {readonly changes: readonly FileChange[]; readonly problems: readonly string[]};

/** Returns all changes that the sessions of a project recorded. The copies of a fork are left out. */
async function changesIn(sessions: string, files: Files): Promise<Recorded> {
	const read = await Promise.all(
		(await foundIn(sessions, files)).map(async ({dir}) => {
			const histories = [];
			for await (const history of historiesIn(dir, files))
				histories.push(await fileChangesIn(history.dir, files));
			return histories;
		}),
	);
	const all = read.flat();
	const originals = new Set(all.flatMap(({changes}) => changes.flatMap(each => (each.isCopied ? [] : each.item))));
	const isOnlyCopy = ({isCopied, item}: FileChange) => !isCopied || !originals.has(item);
	return {
		changes: all.flatMap(({changes}) => changes.filter(isOnlyCopy)),
		problems: all.flatMap(({problem}) => problem ?? []),
	};
}

type RecordedStep = Step & {readonly change: FileChange};

type Place = {
	/** The paths that the file has or had. */
	readonly names: ReadonlySet<string>;
	readonly pwd: string;
	/** The hashes of the contents that are blamed, and of versions that git did not find under an earlier name. */
	readonly begun: readonly string[];
	readonly files: Files;
};

/**
Returns the changes of a file under any of its names, and under a path that a worktree has for it, and finds their
contents. The contents also find a rename that git does not: without a commit, or together with a large change.
*/
async function stepsOf(
	{names, pwd, begun, files}: Place,
	changes: readonly FileChange[],
	contents: Contents,
): Promise<readonly RecordedStep[]> {
	const insides = new Set([...names].map(name => relative(pwd, name)));
	for (const change of changes) if (names.has(change.real)) insides.add(change.inProject);
	const isOwn = ({inProject}: FileChange) => insides.has(inProject);
	const gone = await goneFrom(pwd, changes, files);
	for (let isMore = true; isMore;) {
		const own = changes.filter(isOwn);
		const written = new Set(own.map(({after}) => after));
		const ends = [...begun, ...own.flatMap(({before}) => before ?? [])];
		const wanted = new Set(ends.filter(hash => !written.has(hash)));
		const others = changes.filter(change => !isOwn(change));
		const same = others.filter(change => wanted.has(change.after));
		for (const change of own) await contents.find(change);
		const renamed =
			same.length > 0
				? same
				: await similar(
						[...wanted],
						others.filter(each => gone.has(each)),
						contents,
					);
		for (const {inProject} of renamed) insides.add(inProject);
		isMore = renamed.length > 0;
	}
	return changes
		.filter(isOwn)
		.map(change => ({history: change.dir, at: change.at, before: change.before, after: change.after, change}));
}

/** Returns the changes of files that do not exist any more. */
async function goneFrom(pwd: string, changes: readonly FileChange[], files: Files): Promise<ReadonlySet<FileChange>> {
	const gone = new Set<FileChange>();
	for (const [inProject, all] of Map.groupBy(changes, change => change.inProject)) {
		const isThere = await files.stat(join(pwd, inProject)).catch(() => undefined);
		if (isThere === undefined) for (const change of all) gone.add(change);
	}
	return gone;
}

/** Returns the changes after which a file had at least half of its lines in common with a content, as git does. */
async function similar(
	hashes: readonly string[],
	changes: readonly FileChange[],
	contents: Contents,
): Promise<readonly FileChange[]> {
	const numbers = createLineNumbers();
	const wanted = hashes.flatMap(hash => [contents.text(hash)].flatMap(text => (text ? [numbers.of(text)] : [])));
	const found: FileChange[] = [];
	for (const change of changes) {
		await contents.find(change);
		const lines = numbers.of(contents.text(change.after) ?? '');
		if (wanted.some(now => distance(lines, now) * 2 <= lines.length + now.length)) found.push(change);
	}
	return found;
}

async function readPresent(file: string): Promise<Buffer | undefined> {
	try {
		const {size} = await stat(file).then(found => (found.isFile() ? found : {size: Number.POSITIVE_INFINITY}));
		return size > maxBackupBytes ? undefined : await readFile(file);
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
}
