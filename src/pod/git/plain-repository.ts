import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Env} from '../env/env.ts';
import {errorCode} from '../files/fs-error.ts';
import type {Repository} from './repository.ts';
import {gitTexts} from './texts.ts';

type Made<Value> = {readonly ok: true; readonly value: Value} | {readonly ok: false; readonly sentence: string};

/**
Calls `use` with an environment in which git compares the working tree, the index and the objects of a repository, but
reads no configuration, attributes, remotes or hooks of the repository, the user or the system. For this purpose it
makes a git directory without objects that exists only during the call.
*/
export async function withPlainRepository<Value>(
	repository: Repository,
	use: (env: Env) => Promise<Value>,
): Promise<Made<Value>> {
	let dir: string | undefined;
	try {
		dir = await mkdtemp(join(tmpdir(), 'inkpod-git-'));
		await fill(dir, repository);
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		await remove(dir);
		return {ok: false, sentence: gitTexts.noFolder(errorCode(cause))};
	}
	try {
		return {ok: true, value: await use(envOf(dir, repository))};
	} finally {
		await remove(dir);
	}
}

async function fill(dir: string, {isSha256, settings}: Repository): Promise<void> {
	const lines = [
		'[core]',
		`repositoryformatversion = ${isSha256 ? 1 : 0}`,
		'bare = false',
		// Otherwise git warns about each file whose line endings it would convert.
		'safecrlf = false',
		...settings.map(([name, value]) => `${name} = ${value}`),
		...(isSha256 ? ['[extensions]', 'objectFormat = sha256'] : []),
	];
	await Promise.all([mkdir(join(dir, 'objects')), mkdir(join(dir, 'refs'))]);
	await writeFile(join(dir, 'config'), `${lines.join('\n')}\n`, {flag: 'wx', mode: 0o600});
	await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n', {flag: 'wx', mode: 0o600});
}

function envOf(dir: string, {top, objects, index}: Repository): Env {
	return {
		HOME: dir,
		XDG_CONFIG_HOME: dir,
		LC_ALL: 'C',
		GIT_DIR: dir,
		GIT_WORK_TREE: top,
		GIT_INDEX_FILE: index,
		GIT_OBJECT_DIRECTORY: objects,
		GIT_CONFIG_GLOBAL: '/dev/null',
		GIT_CONFIG_NOSYSTEM: '1',
		GIT_ATTR_NOSYSTEM: '1',
		GIT_OPTIONAL_LOCKS: '0',
		GIT_NO_LAZY_FETCH: '1',
		GIT_TERMINAL_PROMPT: '0',
	};
}

async function remove(dir: string | undefined): Promise<void> {
	if (dir !== undefined) await rm(dir, {recursive: true, force: true}).catch(() => {});
}
