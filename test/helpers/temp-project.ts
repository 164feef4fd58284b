import {execFileSync, spawnSync} from 'node:child_process';
import {mkdir, mkdtemp, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';
import {homeOf} from '../../src/pod/ground/env/env.ts';
import {createScope, type Scope} from '../../src/pod/scope/scope.ts';

/** A real folder with real files. It is deleted when the test ends. */
export type TempProject = {
	/** The real path of the folder. It has its own parent folder, so that a test can create `../x` and `<dir>-x`. */
	readonly dir: string;
	readonly scope: Scope;
	/** Returns an absolute path in the project. */
	path(name: string): string;
	/** Writes a file and creates its parent folders. Returns its absolute path. */
	write(name: string, content: string | Uint8Array): Promise<string>;
	mkdir(name: string): Promise<string>;
	/** Creates a symbolic link `name` to `target`. The target is used literally. */
	link(name: string, target: string): Promise<string>;
};

/** Creates a project with the given files; call it inside a test. A name that ends in `/` is an empty folder. */
export async function tempProject(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TempProject> {
	const home = await realpath(await mkdtemp(join(tmpdir(), 'inkpod-')));
	onTestFinished(async () => removeFolder(home));
	const dir = join(home, 'project');
	const project: Omit<TempProject, 'scope'> = {
		dir,
		path: name => join(dir, name),
		async write(name, content) {
			const path = join(dir, name);
			await mkdir(dirname(path), {recursive: true});
			await writeFile(path, content);
			return path;
		},
		async mkdir(name) {
			const path = join(dir, name);
			await mkdir(path, {recursive: true});
			return path;
		},
		async link(name, target) {
			const path = join(dir, name);
			await mkdir(dirname(path), {recursive: true});
			await symlink(target, path);
			return path;
		},
	};
	await mkdir(dir);
	// Each folder is created once and all files in parallel, because a project may have thousands.
	const names = Object.keys(files);
	for (const folder of new Set(names.map(name => (name.endsWith('/') ? name : dirname(name)))))
		await project.mkdir(folder);
	await Promise.all(
		names.filter(name => !name.endsWith('/')).map(async name => writeFile(join(dir, name), files[name]!)),
	);
	return {...project, scope: await scopeOf(dir)};
}

/** Removes a folder. overlayfs leaves folders without permissions, which inkpod may still be removing. */
async function removeFolder(path: string): Promise<void> {
	const options = {recursive: true, force: true, maxRetries: 5} as const;
	await rm(path, options).catch(async () => {
		spawnSync('chmod', ['-R', 'u+rwx', path]);
		await rm(path, options);
	});
}

/** Returns the scope of an existing folder. */
export async function scopeOf(
	pwd: string,
	options: {readonly writable?: boolean; readonly readRoots?: readonly string[]} = {},
): Promise<Scope> {
	const created = await createScope({pwd, home: homeOf(process.env), ...options});
	if (!created.ok) throw new Error(`no scope over ${created.path}: ${created.reason}`);
	return created.scope;
}

/** Deletes a folder. An overlay leaves a folder without permissions behind, which an ordinary user cannot list. */
export async function removeTree(path: string): Promise<void> {
	execFileSync('chmod', ['-R', 'u+rwx', path]);
	await rm(path, {recursive: true, force: true, maxRetries: 5});
}
