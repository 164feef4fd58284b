import {userInfo} from 'node:os';
import {isAbsolute, join} from 'node:path';

/** The environment that inkpod was started with. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
Returns the user's home folder: HOME if it is absolute, and otherwise the entry in the system's list of users. A
relative path is never used, because it would lead into the project, and files of the project must not be taken for the
user's own files. Without any home folder it is the root folder.
*/
export function homeOf(env: Env): string {
	return ownHome(env) ?? '/';
}

/** Tells whether the user has a home folder. A user who is not listed, as in some containers, may have none. */
export function hasHome(env: Env): boolean {
	return ownHome(env) !== undefined;
}

function ownHome(env: Env): string | undefined {
	const home = env['HOME'];
	return home !== undefined && isAbsolute(home) ? home : listedHome();
}

/**
Returns the folder `inkpod` in a folder of the XDG Base Directory Specification. According to the specification,
relative paths in these variables are ignored. In that case `fallback` is used.
*/
export function xdgFolder(env: Env, variable: XdgVariable, fallback: string): string {
	return join(xdgParent(env, variable, fallback), 'inkpod');
}

type XdgVariable = 'XDG_CACHE_HOME' | 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME';

/** Returns the folder that the specification itself defines. */
export function xdgParent(env: Env, variable: XdgVariable, fallback: string): string {
	const base = env[variable];
	return base !== undefined && isAbsolute(base) ? base : fallback;
}

/** Returns the folder of the user's configuration: `$XDG_CONFIG_HOME/inkpod`, or otherwise `~/.config/inkpod`. */
export function configDirectory(env: Env): string {
	return xdgFolder(env, 'XDG_CONFIG_HOME', join(homeOf(env), '.config'));
}

/** Returns the home folder in the system's list of users. */
function listedHome(): string | undefined {
	try {
		const {homedir} = userInfo();
		return isAbsolute(homedir) ? homedir : undefined;
	} catch {
		return undefined;
	}
}
