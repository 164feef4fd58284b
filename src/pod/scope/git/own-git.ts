import {mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {findProgram} from '../../platform/programs.ts';
import {resolveLinks} from '../locate.ts';
import {contains} from '../../ground/files/contains.ts';
import type {Repository} from './repository.ts';
import {runGit, type GitRun} from './run-git.ts';
import {gitTexts} from './texts.ts';

type GitOptions = {
	/** The working directory. The default is the top of the working tree, or the folder of a bare repository. */
	readonly cwd?: string;
	readonly input?: string | Uint8Array;
	readonly maxBytes?: number;
	/** The maximum duration in milliseconds. The default is that of `runGit`. */
	readonly maxMs?: number;
};

/** Runs one command of git in a repository. Never rejects because of git. */
export type OwnGit = (args: readonly string[], options?: GitOptions) => Promise<GitRun>;

type OwnGitOptions = {
	/** The environment. Only PATH is used, to find git. git does not get these variables. */
	readonly env: Env;
	/** The name and address for the reference logs. */
	readonly committer?: {readonly name: string; readonly email: string};
	/** A folder of additional objects that the repository does not contain yet. */
	readonly added?: string;
	/** Whether git uses a `HEAD` that inkpod creates, because the repository may have none yet. */
	readonly isHeadless?: boolean;
};

type Used<Value> = {readonly ok: true; readonly value: Value} | {readonly ok: false; readonly sentence: string};

/**
Calls `use` with git for a repository. inkpod runs git only through this function. git always reads the configuration of
the common folder. So inkpod creates a common folder for this call: its configuration contains the settings that inkpod
read itself, and it contains links to the references and logs of the repository. git reads no other configuration, has
no hooks, and finds no program, not even itself. In the working tree, only those attributes take effect that determine
how the contents of files are stored.
*/
export async function withOwnGit<Value>(
	repository: Repository,
	options: OwnGitOptions,
	use: (git: OwnGit) => Promise<Value>,
): Promise<Used<Value>> {
	const top = repository.top ?? repository.common;
	const program = findProgram('git', options.env['PATH'], top);
	if (program === undefined) return {ok: false, sentence: gitTexts.missing};
	let dir: string | undefined;
	try {
		dir = await mkdtemp(join(await temporaryFolder(top), 'inkpod-git-'));
		await fill(dir, repository, options);
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		await remove(dir);
		return {ok: false, sentence: gitTexts.noFolder(errorCode(cause))};
	}
	const env = envOf(dir, repository, options);
	const git: OwnGit = async (args, {cwd = top, maxBytes = 65_536, ...more} = {}) => {
		// git does not create the target of a link.
		if (args[0] === 'update-ref') await mkdir(join(repository.common, 'logs'), {recursive: true}).catch(() => {});
		return runGit(program, args, {cwd, env, maxBytes, ...more});
	};
	try {
		return {ok: true, value: await use(git)};
	} finally {
		await remove(dir);
	}
}

/**
Returns the parent of the temporary folder. It is outside of the project, because a command of the project must not
reach the temporary folder.
*/
async function temporaryFolder(top: string): Promise<string> {
	const usual = await resolveLinks(tmpdir());
	return contains(top, usual) ? '/tmp' : usual;
}

/** The parts of the repository's common folder that git may use, besides the objects. */
const linked = ['refs', 'packed-refs', 'logs', 'shallow', 'info/exclude'];

async function fill(
	dir: string,
	{top, common, isSha256, settings}: Repository,
	{isHeadless = false}: OwnGitOptions,
): Promise<void> {
	const lines = [
		'[core]',
		`repositoryformatversion = ${isSha256 ? 1 : 0}`,
		`bare = ${top === undefined}`,
		// By default, git warns about each file whose line endings it would convert.
		'safecrlf = false',
		`excludesFile = ${quoted(settings.excludesFile)}`,
		...settings.words.map(([name, value]) => `${name} = ${value}`),
		...(isSha256 ? ['[extensions]', 'objectFormat = sha256'] : []),
	];
	await Promise.all([mkdir(join(dir, 'info')), mkdir(join(dir, 'programs'))]);
	await writeFile(join(dir, 'config'), `${lines.join('\n')}\n`, {flag: 'wx', mode: 0o600});
	await Promise.all(linked.map(async name => symlink(join(common, name), join(dir, name))));
	if (isHeadless) await writeFile(join(dir, 'HEAD'), 'ref: refs/inkpod/none\n', {flag: 'wx', mode: 0o600});
}

function quoted(value: string): string {
	return `"${value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}

function envOf(
	dir: string,
	{top, folder, common}: Repository,
	{committer, added, isHeadless = false}: OwnGitOptions,
): Env {
	const {name, email} = committer ?? {name: 'inkpod', email: 'inkpod@localhost'};
	return {
		PATH: join(dir, 'programs'),
		GIT_EXEC_PATH: join(dir, 'programs'),
		HOME: dir,
		XDG_CONFIG_HOME: dir,
		LC_ALL: 'C',
		GIT_DIR: isHeadless ? dir : folder,
		GIT_COMMON_DIR: dir,
		GIT_WORK_TREE: top,
		GIT_OBJECT_DIRECTORY: join(common, 'objects'),
		...(added !== undefined && {GIT_ALTERNATE_OBJECT_DIRECTORIES: added}),
		GIT_CONFIG_GLOBAL: '/dev/null',
		GIT_CONFIG_NOSYSTEM: '1',
		GIT_ATTR_NOSYSTEM: '1',
		GIT_OPTIONAL_LOCKS: '0',
		GIT_NO_LAZY_FETCH: '1',
		GIT_TERMINAL_PROMPT: '0',
		GIT_COMMITTER_NAME: name,
		GIT_COMMITTER_EMAIL: email,
	};
}

async function remove(dir: string | undefined): Promise<void> {
	if (dir !== undefined) await rm(dir, {recursive: true, force: true}).catch(() => {});
}
