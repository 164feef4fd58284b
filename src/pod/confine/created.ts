import {lstat, readdir, rename} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';

/**
What other programs run in a project at one moment. `present`: existing paths with the identities of what they name.
`throughGit`: paths through which git runs programs. Some of them do not exist.
*/
export type RunLater = {
	readonly present: ReadonlyMap<string, string>;
	readonly throughGit: ReadonlySet<string>;
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

/** `created`: new or replaced paths that other programs run. `setAside`: renamed paths, with their new names. */
export type Created = {
	readonly created: readonly string[];
	readonly setAside: ReadonlyArray<readonly [from: string, to: string]>;
};

/**
Compares two moments. Confinement cannot protect what does not exist. So a path that did not exist, but through which
git would run programs, gets another name if a command created it.
*/
export async function whatCreated(before: RunLater, {present: after}: RunLater): Promise<Created> {
	const fresh = [...after.keys()].filter(path => before.present.get(path) !== after.get(path));
	const setAside: Array<readonly [string, string]> = [];
	for (const path of fresh) {
		if (before.present.has(path) || !before.throughGit.has(path) || (await hasSamplesOnly(path))) continue;
		const to = await freeName(`${path}.set-aside`);
		const isDone = await rename(path, to).then(
			() => true,
			() => false,
		);
		if (isDone) setAside.push([path, to]);
	}
	const moved = new Set(setAside.map(([from]) => from));
	return {created: fresh.filter(path => !moved.has(path)), setAside};
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
