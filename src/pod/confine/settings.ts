import type {Env} from '../env/env.ts';

/**
`auto`: commands are confined where this works. `require`: no command runs without it. `off`: commands are not confined.
*/
export type ConfineMode = 'auto' | 'require' | 'off';
/** `none`: a network of its own, with nothing in it but loopback. */
export type Network = 'open' | 'none';

/** The settings that apply to a session. */
export type ConfineSettings = {
	readonly mode: ConfineMode;
	/** Overrides the default: open for commands that are approved one by one, and none for others. */
	readonly network?: Network | undefined;
	/** Further writable folders. */
	readonly caches?: readonly string[];
};

/** The settings of one source. */
type Written = {
	readonly mode?: ConfineMode | undefined;
	readonly network?: Network | undefined;
	readonly caches?: readonly string[] | undefined;
};

export type ConfineSources = {
	readonly env: Env;
	/** Whether the command line turned it off (`--no-confine`). */
	readonly isOff: boolean;
	readonly user: Written | undefined;
	/** The project's file, which may only raise the user's settings. */
	readonly project: Written | undefined;
};

/**
Returns the settings that apply. The command line and `INKPOD_CONFINE` come first. A project may require confinement and
close the network, but never the opposite.
*/
export function confineSettings({env, isOff, user = {}, project = {}}: ConfineSources): ConfineSettings {
	const {caches = []} = user;
	if (isOff || env['INKPOD_CONFINE'] === 'off') return {mode: 'off', caches};
	const own = user.mode ?? 'auto';
	const mode = project.mode === 'require' ? 'require' : project.mode === 'auto' && own === 'off' ? 'auto' : own;
	const network = project.network ?? user.network;
	return {mode, caches, ...(network !== undefined && {network})};
}
