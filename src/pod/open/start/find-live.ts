import {stat} from 'node:fs/promises';
import {probe, probeAll} from '../../remote/attach/probe.ts';
import {socketFolder} from '../../platform/local-door.ts';
import {socketPath} from '../../remote/attach/socket-path.ts';
import type {Env} from '../../ground/env/env.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {realFiles} from '../../disk/files.ts';
import {findInFamilies, findSession} from '../../disk/list/find.ts';
import {homeProblem} from './home-problem.ts';
import {lockOwner} from '../../disk/log/lock.ts';
import {historyFile, idOf, sessionDir, sessionsRoot} from '../../disk/paths.ts';
import {findProject} from './find-project.ts';
import type {ChatOptions, ProjectOptions} from './options.ts';
import {attachTexts} from './texts.ts';

export type LiveFound =
	/** `dir` is the session's folder. The folder does not exist before the first message. */
	| {
			readonly ok: true;
			readonly dir: string;
			/** The child of this session that the user named. */ readonly child?: string;
	  }
	/** `isUsage`: the failure is in the user's options, configuration or state folder. */
	| {readonly ok: false; readonly sentence: string; readonly isUsage?: boolean};

/**
Finds the session for `inkpod attach`. The session must be open in another terminal that lets others attach. If no id is
given, the function finds the latest session of this directory.
*/
export async function findLive(options: ProjectOptions & Pick<ChatOptions, 'attach'>, env: Env): Promise<LiveFound> {
	const project = await findProject(options, env);
	if (!project.ok) return {...project, isUsage: true};
	const problem = await homeProblem(env);
	if (problem !== undefined) return {ok: false, sentence: problem, isUsage: true};
	const at = {root: sessionsRoot(env), cwd: project.manifest.pwd};
	const id = options.attach?.id;
	return id === undefined ? latestLive(at, env) : liveById(at, id, env);
}

type At = {readonly root: string; readonly cwd: string};

async function latestLive(at: At, env: Env): Promise<LiveFound> {
	const folder = socketFolder(env);
	const found = folder === undefined ? [] : await probeAll(folder);
	const here = await Promise.all(
		found
			.filter(({hello}) => hello.pwd === at.cwd)
			.map(async ({path, hello: {session}}) => {
				const dir = sessionDir(at.root, at.cwd, session);
				return {dir, changed: Math.max(await changedAt(path), await changedAt(historyFile(dir)))};
			}),
	);
	const [latest] = here.toSorted((one, other) => other.changed - one.changed);
	return latest === undefined ? {ok: false, sentence: attachTexts.noneLive} : existing(at, latest.dir);
}

/**
Returns the folder of an existing session. The folder may belong to another project, because a session stays in the
project where it was created.
*/
async function existing(at: At, dir: string): Promise<LiveFound> {
	if (await pathExists(dir)) return {ok: true, dir};
	const found = await findSession(at, idOf(dir));
	return {ok: true, dir: found.ok ? found.dir : dir};
}

async function liveById(at: At, prefix: string, env: Env): Promise<LiveFound> {
	const folder = socketFolder(env);
	const found = await findInFamilies(at, prefix);
	if (!found.ok) {
		const unsaved = found.reason === 'unknown' ? await unsavedById(at, prefix, folder) : undefined;
		return unsaved === undefined ? found : {ok: true, dir: unsaved};
	}
	if (folder !== undefined && (await probe(socketPath(folder, idOf(found.dir)))) !== undefined) return found;
	const owner = await lockOwner(found.dir, realFiles);
	if (owner === undefined) return {ok: false, sentence: attachTexts.notOpen(idOf(found.dir))};
	return {ok: false, sentence: attachTexts.notAttachable(owner.pid, owner.host)};
}

/**
Returns the folder of the only session with this prefix that is open in another terminal and has no message yet.
*/
async function unsavedById({root}: At, prefix: string, folder: string | undefined): Promise<string | undefined> {
	const all = folder === undefined ? [] : await probeAll(folder);
	const [only, ...others] = all.filter(({hello}) => hello.session.startsWith(prefix.toUpperCase()));
	return only !== undefined && others.length === 0 ? sessionDir(root, only.hello.pwd, only.hello.session) : undefined;
}

async function changedAt(path: string): Promise<number> {
	return stat(path).then(
		({mtimeMs}) => mtimeMs,
		() => 0,
	);
}
