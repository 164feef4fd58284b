/**
What differs by system, apart from the code in this folder. A port adds an entry to `systems`, and the types then show
which code needs its words.
*/
type Differences = {
	/** The program that stores keys. */
	readonly keychain: 'secret-tool' | 'security';
	/** The program that opens an address in the user's browser. */
	readonly browser: 'xdg-open' | 'open';
	/** The program that confines commands. */
	readonly sandbox: 'bwrap' | 'sandbox-exec' | undefined;
	/** What starts the programs of a user. */
	readonly supervisor: 'systemd' | 'launchd';
	/** Whether `/proc` describes processes and open files. */
	readonly hasProc: boolean;
	/** Whether file systems usually take names for the same that differ in case. */
	readonly foldsNames: boolean;
	/** The maximum bytes of a socket's path (sun_path in unix(7)). */
	readonly maxSocketPath: number;
	/** The maximum bytes of one argument of a program, with its final zero. */
	readonly maxArgument: number;
};

type System = Differences & {readonly name: NodeJS.Platform};

/** Returns the facts about a system, usually the one that inkpod runs on. */
export function systemOf(name: NodeJS.Platform = process.platform): System {
	return {...(systems[name] ?? unix), name};
}

/** Any other Unix. No one has tested inkpod there. */
const unix: Differences = {
	keychain: 'secret-tool',
	browser: 'xdg-open',
	sandbox: undefined,
	supervisor: 'systemd',
	hasProc: false,
	foldsNames: false,
	maxSocketPath: 103,
	maxArgument: Infinity,
};

const systems: {readonly [name in NodeJS.Platform]?: Differences} = {
	linux: {
		...unix,
		sandbox: 'bwrap',
		hasProc: true,
		maxSocketPath: 107,
		// MAX_ARG_STRLEN in execve(2).
		maxArgument: 128 * 1024,
	},
	darwin: {
		...unix,
		keychain: 'security',
		browser: 'open',
		sandbox: 'sandbox-exec',
		supervisor: 'launchd',
		foldsNames: true,
	},
};
