import type {Env} from '../env/env.ts';
import {readingEnv} from '../git/repository.ts';
import {findGit, runGit, whyFailed, type GitRun} from '../git/run-git.ts';

/** Runs git in a repository without any of the programs that its configuration names. */
export type GuardedGit = (args: readonly string[], cwd: string, maxBytes?: number) => Promise<GitRun>;

/**
Returns git for changes to a real repository. Its configuration may name hooks, filters, a monitor of the file system
and other programs. All of them are switched off by settings in the environment, which come last.
*/
export async function guardedGit(env: Env, root: string): Promise<GuardedGit | undefined> {
	const git = findGit(env, root);
	if (git === undefined) return undefined;
	const base = readingEnv(env);
	const filters = await runGit(git, ['config', '-z', '--name-only', '--get-regexp', String.raw`^filter\.`], {
		cwd: root,
		env: base,
		maxBytes: 262_144,
	});
	const settings = [...fixed, ...(filters.type === 'done' ? filtersOff(filters.output.toString()) : [])];
	const variables = settings.flatMap(([key, value], n) => [
		[`GIT_CONFIG_KEY_${n}`, key] as const,
		[`GIT_CONFIG_VALUE_${n}`, value] as const,
	]);
	const guarded: Env = {
		...base,
		...Object.fromEntries(variables),
		GIT_CONFIG_COUNT: String(settings.length),
		GIT_ATTR_NOSYSTEM: '1',
		GIT_TERMINAL_PROMPT: '0',
	};
	return async (args, cwd, maxBytes = 65_536) => runGit(git, args, {cwd, env: guarded, maxBytes, maxMs});
}

export {whyFailed};

const fixed: ReadonlyArray<readonly [key: string, value: string]> = [
	['core.hooksPath', '/dev/null'],
	['core.fsmonitor', 'false'],
	['core.untrackedCache', 'false'],
	['submodule.recurse', 'false'],
	['gc.auto', '0'],
	['maintenance.auto', 'false'],
	['diff.external', ''],
	['safe.bareRepository', 'explicit'],
	['advice.detachedHead', 'false'],
];

/** A filter without a program leaves contents as they are, if it is not required. */
function filtersOff(names: string): ReadonlyArray<readonly [key: string, value: string]> {
	const drivers = new Set(names.split('\0').flatMap(name => /^(filter\..+)\.[^.]+$/s.exec(name)?.[1] ?? []));
	return [...drivers].flatMap(driver => [
		[`${driver}.clean`, ''] as const,
		[`${driver}.smudge`, ''] as const,
		[`${driver}.process`, ''] as const,
		[`${driver}.required`, 'false'] as const,
	]);
}

/** A checkout of a large repository takes a while. */
const maxMs = 120_000;
