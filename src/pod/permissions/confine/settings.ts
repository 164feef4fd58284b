import {join} from 'node:path';
import {homeOf, type Env} from '../../ground/env/env.ts';

/**
`auto`: commands are confined if this is possible. `require`: no command runs without confinement. `off`: commands are
not confined.
*/
export type ConfineMode = 'auto' | 'require' | 'off';
/** `none`: a separate network that contains only loopback. */
export type Network = 'open' | 'none';

/** The settings that apply to a session. */
export type ConfineSettings = {
	readonly mode: ConfineMode;
	/**
	Overrides the default. By default, the network is open for commands that the user approves one by one, and `none`
	for others.
	*/
	readonly network?: Network | undefined;
	/** Whether `mode` is the default, because nobody chose it. */
	readonly isDefault?: boolean;
	/**
	`show`: more files and folders that commands can read. `write`: more folders in which commands can write. All paths
	are absolute.
	*/
	readonly show?: readonly string[];
	readonly write?: readonly string[];
	/** More environment variables that commands get. */
	readonly env?: readonly string[];
};

/** The settings of one source. */
type Written = {
	readonly mode?: ConfineMode | undefined;
	readonly network?: Network | undefined;
	readonly show?: readonly string[] | undefined;
	readonly write?: readonly string[] | undefined;
	/** An older name for `write`. */
	readonly caches?: readonly string[] | undefined;
	readonly env?: readonly string[] | undefined;
};

type ConfineSources = {
	readonly env: Env;
	/** Whether the command line turned confinement off (`--no-confine`). */
	readonly isOff: boolean;
	readonly user: Written | undefined;
	/** The project's file, which may only make the user's settings stricter. */
	readonly project: Written | undefined;
};

/**
Returns the settings that apply. The command line and `INKPOD_CONFINE` come first. A project may require confinement and
close the network, but never the opposite.
*/
export function confineSettings({env, isOff, user = {}, project = {}}: ConfineSources): ConfineSettings {
	if (isOff || env['INKPOD_CONFINE'] === 'off') return {mode: 'off'};
	const inHome = (path: string) => (path.startsWith('~/') ? join(homeOf(env), path.slice(2)) : path);
	const write = [...(user.write ?? []), ...(user.caches ?? [])];
	const added = {show: (user.show ?? []).map(inHome), write: write.map(inHome), env: user.env ?? []};
	const own = user.mode ?? 'auto';
	const mode = project.mode === 'require' ? 'require' : project.mode === 'auto' && own === 'off' ? 'auto' : own;
	const network = project.network ?? user.network;
	const isDefault = user.mode === undefined && project.mode === undefined;
	return {mode, isDefault, ...added, network};
}
