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
import {readStdin} from '../print/read-stdin.ts';
import type {Output} from '../sessions.ts';
import {t} from '../../language/index.ts';

type LogoutOptions = ProjectOptions & {
	readonly provider: string;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
};

type LoginOptions = LogoutOptions & {readonly stdin: HiddenInput};

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
	// An unknown provider is refused before the user types a key. The error does not repeat the word, because it may be
	// the key.
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

/**
Reads a line from the terminal without an echo. Backspace and Ctrl+U erase, Enter and Ctrl+D end the line, and Ctrl+C
stops. At the end it restores the terminal.
*/
export async function readHidden(prompt: string, stdin: HiddenInput, stderr: Output): Promise<Hidden> {
	const {promise, resolve, reject} = Promise.withResolvers<Hidden>();
	const line = createLine(resolve);
	const take = (piece: Buffer | string) => line.add(piece.toString());
	const end = () => resolve({text: line.text()});
	stdin.setRawMode?.(true);
	stderr.write(prompt);
	stdin.on('data', take);
	stdin.on('end', end);
	stdin.on('error', reject);
	stdin.resume();
	try {
		return await promise;
	} finally {
		stdin.off('data', take);
		stdin.off('end', end);
		stdin.off('error', reject);
		stdin.pause();
		stdin.setRawMode?.(false);
		stderr.write('\n');
	}
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

/** The texts of `inkpod login` and `inkpod logout`. */
const loginTexts = {
	prompt: (provider: string) => t`Key for ${provider} (it is not shown): `,
	noSuchProvider: (names: readonly string[]) =>
		t`No provider with this name uses a key. The providers with a key are ${names.join(', ')}.`,
} as const;

/** A terminal, or a pipe. */
type HiddenInput = AsyncIterable<Buffer | string> &
	Pick<NodeJS.EventEmitter, 'on' | 'off'> & {
		readonly isTTY?: boolean;
		setRawMode?(isRaw: boolean): unknown;
		resume(): unknown;
		pause(): unknown;
	};

type Hidden = {readonly text: string} | {readonly stopped: true};

/** Collects the characters of a line. Keys that send escape sequences type nothing. */
function createLine(onEnd: (hidden: Hidden) => void) {
	let text = '';
	let rest = '';

	function addCharacter(character: string): void {
		if (character === '\r' || character === '\n' || character === '\x04') onEnd({text});
		else if (character === '\x03') onEnd({stopped: true});
		else if (character === '\x7f' || character === '\b') text = text.slice(0, -1);
		else if (character === '\x15') text = '';
		else if (character >= ' ' && text.length < maxLength) text += character;
	}

	return {
		text: () => text,
		add(piece: string) {
			const all = rest + piece;
			const cut = unfinishedSequence.exec(all)?.index ?? all.length;
			rest = all.slice(cut, cut + maxSequence);
			for (const character of all.slice(0, cut).replaceAll(sequences, '')) addCharacter(character);
		},
	};
}

const maxLength = 10_000;

const maxSequence = 16;

/** Keys that send escape sequences, and the marks around a paste. */
const sequences = /\x1b(?:\[[\d;?]*[ -/]*[@-~]|O[@-~])/g;

const unfinishedSequence = /\x1b(?:\[[\d;?]{0,12}|O)?$/;
