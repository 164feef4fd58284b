import type {Env} from '../ground/env/env.ts';
import {childEnv} from '../ground/env/child-env.ts';
import {findProgram} from './programs.ts';
import {runProgram} from './run-program.ts';
import {systemOf} from './system.ts';

/** The answer of the keychain. `unfit`: the program cannot take this key without showing it to other processes. */
type KeychainAnswer = {readonly kind: 'done'; readonly key: string} | {readonly kind: 'failed' | 'timed_out' | 'unfit'};

/** The keychain of the system, through its program. */
type Keychain = {
	/** The name of the program. */
	readonly program: string;
	readonly lookUp: (provider: string) => Promise<KeychainAnswer>;
	/** Stores a key and looks it up again. The answer is `done` only if the keychain then returns this key. */
	readonly store: (provider: string, key: string) => Promise<KeychainAnswer>;
	readonly remove: (provider: string) => Promise<KeychainAnswer>;
};

export type KeychainOptions = {
	readonly env: Env;
	/** The project, whose programs are never used. */
	readonly pwd: string;
	/** The variables of keys that the user's configuration names. The program does not get them. */
	readonly keyNames?: readonly string[];
	readonly platform?: NodeJS.Platform;
	readonly timeoutMs?: number;
};

/**
Finds the keychain of the system: `secret-tool` of libsecret, or `security` on macOS. The programs get keys only on
stdin, and no key in their environment. Returns `undefined` if there is no such program outside of the project.
*/
export function findKeychain({
	env,
	pwd,
	keyNames,
	platform,
	timeoutMs = usualTimeoutMs,
}: KeychainOptions): Keychain | undefined {
	const commands = systemOf(platform).keychain === 'security' ? security : secretTool;
	const path = findProgram(commands.program, env['PATH'], pwd);
	if (path === undefined) return undefined;
	const run = async ({args, input}: Call) => ask(path, args, {input, env: childEnv(env, keyNames), timeoutMs});
	const lookUp = async (provider: string) => run(commands.lookUp(provider));
	return {
		program: commands.program,
		lookUp,
		async store(provider, key) {
			const call = commands.store(provider, key);
			if (call === undefined) return {kind: 'unfit'};
			const stored = await run(call);
			if (stored.kind !== 'done') return stored;
			const found = await lookUp(provider);
			return found.kind === 'done' && found.key !== key ? {kind: 'failed'} : found;
		},
		remove: async provider => run(commands.remove(provider)),
	};
}

/** The keychain may have to ask the user to unlock it, and inkpod does not wait for that. */
const usualTimeoutMs = 2000;

type Call = {readonly args: readonly string[]; readonly input: string};

type Commands = {
	readonly program: string;
	readonly lookUp: (provider: string) => Call;
	readonly store: (provider: string, key: string) => Call | undefined;
	readonly remove: (provider: string) => Call;
};

/** libsecret's program reads the key from stdin. */
const secretTool: Commands = {
	program: 'secret-tool',
	lookUp: provider => ({args: ['lookup', ...attributesOf(provider)], input: ''}),
	store: (provider, key) => ({
		args: ['store', `--label=inkpod: API key for ${provider}`, ...attributesOf(provider)],
		input: key,
	}),
	remove: provider => ({args: ['clear', ...attributesOf(provider)], input: ''}),
};

function attributesOf(provider: string): readonly string[] {
	return ['service', 'inkpod', 'provider', provider];
}

/**
macOS: `security add-generic-password` takes a key only as an argument, which every process can see, or at a prompt on
the terminal. So `security -i` reads the whole command from stdin. Its words are in double quotes, and a key that would
need an escape or a longer line goes into the file instead.
*/
const security: Commands = {
	program: 'security',
	lookUp: provider => ({args: ['find-generic-password', '-s', 'inkpod', '-a', provider, '-w'], input: ''}),
	store: (provider, key) =>
		/^[\w.~+/=:-]{1,1000}$/.test(key)
			? {args: ['-i'], input: `add-generic-password -U -s "inkpod" -a "${provider}" -w "${key}"\n`}
			: undefined,
	remove: provider => ({args: ['delete-generic-password', '-s', 'inkpod', '-a', provider], input: ''}),
};

/** Returns what the program printed, without the newline at its end. */
async function ask(
	path: string,
	args: readonly string[],
	options: {readonly input: string; readonly env: Env; readonly timeoutMs: number},
): Promise<KeychainAnswer> {
	const end = await runProgram(path, args, options);
	if (end.kind !== 'ended') return end;
	if (end.code !== 0) return {kind: 'failed'};
	return {kind: 'done', key: end.output.toString('utf8').replace(/\r?\n$/, '')};
}
