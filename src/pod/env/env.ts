import {userInfo} from 'node:os';
import {isAbsolute, join} from 'node:path';

/** The environment that inkpod was started with. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
The user's home folder: HOME where it is absolute, else the one in the system's list of users. Never a relative path,
which would lead into the project, whose files must not be taken for the user's own.
*/
export function homeOf(env: Env): string {
	const home = env['HOME'];
	return home !== undefined && isAbsolute(home) ? home : listedHome();
}

/**
`inkpod` in one of the folders of the XDG Base Directory Specification, which wants a relative variable to be passed
over. `fallback` takes its place.
*/
export function xdgFolder(env: Env, variable: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME', fallback: string): string {
	return join(xdgParent(env, variable, fallback), 'inkpod');
}

/** The folder of that specification itself. */
export function xdgParent(env: Env, variable: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME', fallback: string): string {
	const base = env[variable];
	return base !== undefined && isAbsolute(base) ? base : fallback;
}

/** The folder of the user's configuration: `$XDG_CONFIG_HOME/inkpod`, else `~/.config/inkpod`. */
export function configDirectory(env: Env): string {
	return xdgFolder(env, 'XDG_CONFIG_HOME', join(homeOf(env), '.config'));
}

/** A user whom the system does not list, as in some containers, has the root folder. */
function listedHome(): string {
	try {
		const {homedir} = userInfo();
		return isAbsolute(homedir) ? homedir : '/';
	} catch {
		return '/';
	}
}
