import {lstat, readdir, readFile, rename, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {isHarmlessConfig, readBeginning} from '../scope/git-config.ts';

/**
What other programs run in a project at one moment. `present`: existing paths with the identities of what they name.
`throughGit`: paths through which git runs programs. Some of them do not exist.
*/
export type RunLater = {
	readonly present: ReadonlyMap<string, string>;
	readonly throughGit: ReadonlySet<string>;
	/** The folders of git. */
	readonly directories: ReadonlySet<string>;
	/** The contents of files of git that have more than one name. Such a file can be written under another name. */
	readonly linked: ReadonlyMap<string, Buffer>;
};

/** Returns those of the paths that exist. A link is not followed. */
export async function identified(paths: Iterable<string>): Promise<RunLater['present']> {
	const found = await Promise.all(
		[...new Set(paths)].map(async path => {
			const stats = await lstat(path).catch(() => undefined);
			return stats === undefined ? [] : [[path, `${stats.dev}:${stats.ino}`] as const];
		}),
	);
	return new Map(found.flat());
}

/** Reads the configuration and the hooks of git folders, as far as they have more than one name. */
export async function linkedFiles(directories: readonly string[]): Promise<RunLater['linked']> {
	const lists = await Promise.all(
		directories.map(async folder => {
			const hooks = await readdir(join(folder, 'hooks')).catch((): string[] => []);
			return [join(folder, 'config'), ...hooks.map(name => join(folder, 'hooks', name))];
		}),
	);
	const found = await Promise.all(
		lists.flat().map(async path => {
			const stats = await lstat(path).catch(() => undefined);
			const isLinked = stats?.isFile() === true && stats.nlink > 1 && stats.size <= maxLinkedBytes;
			return isLinked ? [[path, await readFile(path).catch(() => Buffer.alloc(0))] as const] : [];
		}),
	);
	return new Map(found.flat());
}

const maxLinkedBytes = 1024 * 1024;

/**
`created`: new or replaced paths that other programs run. `setAside`: renamed paths, with their new names. `restored`:
files of git that were written under another name, and have their contents again.
*/
export type Created = {
	readonly restored: readonly string[];
	readonly created: readonly string[];
	readonly setAside: ReadonlyArray<readonly [from: string, to: string]>;
};

/**
Compares two moments. Confinement cannot protect what does not exist. So a path that did not exist, but through which
git would run programs, gets another name if a command created it.
*/
export async function whatCreated(before: RunLater, {present: after, directories}: RunLater): Promise<Created> {
	const fresh = [...after.keys()].filter(path => before.present.get(path) !== after.get(path));
	const setAside: Array<readonly [string, string]> = [];
	const astray = fresh.filter(path => !before.present.has(path) && before.throughGit.has(path));
	for (const path of [...astray, ...(await programsOfNew(directories, before.directories))]) {
		if (await hasSamplesOnly(path)) continue;
		const to = await freeName(`${path}.set-aside`);
		const isDone = await rename(path, to).then(
			() => true,
			() => false,
		);
		if (isDone) setAside.push([path, to]);
	}
	const moved = new Set(setAside.map(([from]) => from));
	return {created: fresh.filter(path => !moved.has(path)), setAside, restored: await restoreLinked(before.linked)};
}

/** Returns the paths in new repositories through which git would run programs that git itself does not write. */
async function programsOfNew(now: ReadonlySet<string>, before: ReadonlySet<string>): Promise<readonly string[]> {
	const found = await Promise.all(
		[...now].map(async folder => {
			if (before.has(folder)) return [];
			const config = join(folder, 'config');
			const isHarmless = isHarmlessConfig(await readBeginning(config, maxLinkedBytes));
			return [join(folder, 'hooks'), join(folder, 'config.worktree'), ...(isHarmless ? [] : [config])];
		}),
	);
	return found.flat();
}

async function restoreLinked(linked: RunLater['linked']): Promise<readonly string[]> {
	const restored: string[] = [];
	for (const [path, contents] of linked) {
		const now = await readFile(path).catch(() => undefined);
		if (now === undefined || now.equals(contents)) continue;
		await writeFile(path, contents);
		restored.push(path);
	}
	return restored;
}

/** git itself creates a folder `hooks` with samples only, when a repository is initialized again. */
async function hasSamplesOnly(path: string): Promise<boolean> {
	const names = await readdir(path).catch((): string[] => ['?']);
	return names.every(name => name.endsWith('.sample'));
}

async function freeName(wanted: string): Promise<string> {
	for (let n = 1; ; n++) {
		const name = n === 1 ? wanted : join(dirname(wanted), `${basename(wanted)}-${n}`);
		if ((await lstat(name).catch(() => undefined)) === undefined) return name;
	}
}
