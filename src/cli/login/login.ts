import {
	configuredKeys,
	findProject,
	homeProblem,
	loadConfig,
	logIn,
	logOut,
	providersWithKeys,
	type Env,
	type LoginResult,
	type ProjectOptions,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {readHidden, type HiddenInput} from './read-hidden.ts';
import {loginTexts} from './texts.ts';
import {readStdin} from '../print/read-stdin.ts';
import type {Output} from '../sessions.ts';

export type LogoutOptions = ProjectOptions & {
	readonly provider: string;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
};

export type LoginOptions = LogoutOptions & {readonly stdin: HiddenInput};

/**
Implements `inkpod login PROVIDER`: reads a key from the terminal without an echo, or from stdin, checks it with the
provider, and stores it. The exit code is 0, 1 if the key is not stored, 2 for bad usage or configuration, or 130 after
Ctrl+C.
*/
export async function login({stdin, ...options}: LoginOptions): Promise<number> {
	const {provider, stderr} = options;
	const setting = await settingOf(options);
	if (!setting.ok) return refuse(setting.sentence, stderr);
	const names = providersWithKeys(setting.where.config);
	// An unknown provider is refused before the user types a key. It is not repeated: it may be the key.
	if (!names.includes(provider)) return refuse(loginTexts.noSuchProvider(names), stderr);
	const key =
		stdin.isTTY === true ? await readHidden(loginTexts.prompt(provider), stdin, stderr) : await piped(stdin);
	if ('stopped' in key) return 130;
	if ('sentence' in key) return refuse(key.sentence, stderr);
	return report(await logIn(provider, key.text, setting.where), options);
}

/** Implements `inkpod logout PROVIDER`: removes a stored key. The exit code is 0, 1 if it may still be stored, or 2. */
export async function logout(options: LogoutOptions): Promise<number> {
	const setting = await settingOf(options);
	if (!setting.ok) return refuse(setting.sentence, options.stderr);
	const names = providersWithKeys(setting.where.config);
	if (!names.includes(options.provider)) return refuse(loginTexts.noSuchProvider(names), options.stderr);
	return report(await logOut(options.provider, setting.where), options);
}

type Setting =
	| {readonly ok: true; readonly where: Parameters<typeof logIn>[2]}
	| {readonly ok: false; readonly sentence: string};

async function settingOf({env, cwd, manifest}: LogoutOptions): Promise<Setting> {
	const where = {cwd, manifest};
	const problem = await homeProblem(env);
	if (problem !== undefined) return {ok: false, sentence: problem};
	const [loaded, project] = await Promise.all([loadConfig(env), findProject(where, env)]);
	if (!loaded.ok) return loaded;
	if (!project.ok) return project;
	const {config} = loaded;
	return {
		ok: true,
		where: {env, pwd: project.manifest.pwd, keyNames: configuredKeys(config.servers), config},
	};
}

async function piped(stdin: HiddenInput): Promise<{readonly text: string} | {readonly sentence: string}> {
	const read = await readStdin(stdin);
	return read.ok ? {text: read.text} : {sentence: read.sentence};
}

function report({ok, sentence}: LoginResult, {stdout, stderr}: LogoutOptions): number {
	if (ok) stdout.write(`${sanitizeLine(sentence)}\n`);
	else stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	return ok ? 0 : 1;
}

function refuse(sentence: string, stderr: Output): number {
	stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	return 2;
}
