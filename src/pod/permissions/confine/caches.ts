import {mkdirSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import {homeOf, xdgFolder, type Env} from '../../ground/env/env.ts';
import {folderNames} from './folder-names.ts';
import {isFolder, realApart, realOf} from './shown.ts';

/**
A cache of a tool. Only confined commands use inkpod's folder for it, so the user's own tools never run what a command
wrote there.
*/
export type Cache = {
	/** The usual path of the cache in the real home folder, where the tool finds it. */
	readonly path: string;
	/** inkpod's folder for the cache. This folder always exists. */
	readonly own: string;
	/** The user's folder for the cache, if it exists. Commands may read it as a lower layer, but never write to it. */
	readonly users?: string;
};

/** Returns the folder that contains inkpod's folders for all caches. */
export function cachesFolder(env: Env): string {
	return join(xdgFolder(env, 'XDG_CACHE_HOME', join(homeOf(env), '.cache')), 'confined');
}

/**
Returns the caches of the tools that are installed, and creates inkpod's folders for them. `isOfProject` tells whether a
path is in a project, which must not decide what a command sees elsewhere.
*/
export function cachesFor(home: string, env: Env, isOfProject: (path: string) => boolean): readonly Cache[] {
	const top = realCachesFolder(env, isOfProject);
	if (top === undefined) return [];
	const folders = [...new Set((env['PATH'] ?? '').split(delimiter).filter(isAbsolute))].map(folderNames);
	const has = (program: string) => folders.some(names => names.has(program));
	return table.flatMap(({place, programs, users}): readonly Cache[] => {
		if (!programs.some(has)) return [];
		const own = join(top, place.replace(/^\./, '').replaceAll('/', '-'));
		// Somebody may have put a link there.
		if ((!isFolder(own) && !created(own)) || realOf(own) !== own) return [];
		const named = users?.(env);
		const real = realApart(named !== undefined && isAbsolute(named) ? named : join(home, place), isOfProject);
		const isApart = real !== undefined && !isOfProject(real);
		return [{path: join(home, place), own, ...(isApart && {users: real})}];
	});
}

function realCachesFolder(env: Env, isOfProject: (path: string) => boolean): string | undefined {
	const top = cachesFolder(env);
	return isFolder(top) || created(top) ? realApart(top, isOfProject) : undefined;
}

/**
Creates a folder. Returns false if that fails, for example on a full or read-only disk. Then the cache is left out.
*/
function created(folder: string): boolean {
	try {
		mkdirSync(folder, {recursive: true, mode: 0o700});
		return true;
	} catch {
		return false;
	}
}

type Row = {
	readonly place: string;
	readonly programs: readonly string[];
	/** Returns the user's folder if the environment names another one. */
	readonly users?: (env: Env) => string | undefined;
};

const below = (variable: string, name: string) => (env: Env) => {
	const folder = env[variable];
	return folder === undefined || folder === '' ? undefined : join(folder, name);
};

const table: readonly Row[] = [
	{place: '.npm', programs: ['npm'], users: env => env['npm_config_cache'] ?? env['NPM_CONFIG_CACHE']},
	{place: '.cache/yarn', programs: ['yarn'], users: env => env['YARN_CACHE_FOLDER']},
	{place: '.yarn/berry/cache', programs: ['yarn']},
	{place: '.local/share/pnpm/store', programs: ['pnpm']},
	{place: '.cache/pnpm', programs: ['pnpm']},
	{place: '.bun/install/cache', programs: ['bun']},
	{place: '.cache/deno', programs: ['deno'], users: env => env['DENO_DIR']},
	{place: '.cache/pip', programs: ['pip', 'pip3', 'python3'], users: env => env['PIP_CACHE_DIR']},
	{place: '.cache/uv', programs: ['uv'], users: env => env['UV_CACHE_DIR']},
	{place: '.cache/pypoetry/cache', programs: ['poetry']},
	{place: '.cargo/registry', programs: ['cargo'], users: below('CARGO_HOME', 'registry')},
	{place: '.cargo/git', programs: ['cargo'], users: below('CARGO_HOME', 'git')},
	{place: '.cache/go-build', programs: ['go'], users: env => env['GOCACHE']},
	{place: 'go/pkg/mod', programs: ['go'], users: env => env['GOMODCACHE'] ?? below('GOPATH', 'pkg/mod')(env)},
	{place: '.m2/repository', programs: ['mvn', 'gradle']},
	{place: '.m2/wrapper', programs: ['java']},
	{place: '.gradle/caches', programs: ['gradle', 'java'], users: below('GRADLE_USER_HOME', 'caches')},
	{place: '.gradle/wrapper', programs: ['gradle', 'java'], users: below('GRADLE_USER_HOME', 'wrapper')},
	{place: '.ivy2/cache', programs: ['sbt', 'ivy']},
	{place: '.cache/coursier', programs: ['sbt', 'cs', 'scala-cli']},
	{place: '.cache/composer', programs: ['composer'], users: env => env['COMPOSER_CACHE_DIR']},
	{place: '.nuget/packages', programs: ['dotnet'], users: env => env['NUGET_PACKAGES']},
	{place: '.bundle/cache', programs: ['bundle']},
	{place: '.hex/packages', programs: ['mix']},
	{place: '.cache/ccache', programs: ['ccache'], users: env => env['CCACHE_DIR']},
	{place: '.cache/zig', programs: ['zig']},
	{place: '.cabal/packages', programs: ['cabal']},
	{place: '.pub-cache/hosted', programs: ['dart', 'flutter']},
];
