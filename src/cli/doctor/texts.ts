import {t} from '../../language/index.ts';
import type {ModelSource} from '../../pod/index.ts';
import {size} from '../texts.ts';

/** The texts that `inkpod doctor` prints. */
export const mcpFromProject = t`from this project: starts once you trust it`;

export const noNetworkCheck = t`offline: no network check needed`;

export const ripgrepMissing = t`rg was not found in PATH or in a package. inkpod uses its slower built-in search`;

export const noEditor = t`No editor found. Set VISUAL or EDITOR to edit prompts in an editor`;

export const noClipboard = t`No clipboard program found. /copy relies on the terminal (OSC 52), which may not
	support it`;

export const localeUnset = t`LC_ALL, LC_CTYPE and LANG are not set. If characters look wrong, set LANG to a UTF-8
	locale, such as en_US.UTF-8`;

export const noSocketFolder = t`Other terminals cannot attach: the path of every possible socket folder is too long`;

export const termUnset = t`TERM is not set`;

/** The features that do not work without a program. */
export const withoutProgram = {
	editor: t`Ctrl+G cannot open it`,
	pager: t`blocks cannot be opened in it`,
	shell: t`!commands cannot run`,
} as const;

const colourNames = [t`none`, '16', '256', t`16 million`] as const;

export const modelSources: Readonly<Record<ModelSource, string>> = {
	flag: t`from --model`,
	session: t`from the session`,
	environment: t`from INKPOD_MODEL`,
	manifest: t`from inkpod.toml`,
	config: t`from config.toml`,
	key: t`from the first API key found`,
	default: t`default`,
};

export function scriptReadable(file: string): string {
	return t`${file} can be read: no network check needed`;
}

export function scriptUnreadable(file: string, code: string): string {
	return t`Cannot read the script ${file} (${code})`;
}

/** Names the network variables without their values, because a value may contain a password. */
export function networkVariables(names: readonly string[]): string {
	return t`Connections use ${names.join(', ')}`;
}

export function noBaseUrl(provider: string): string {
	return t`No base URL for ${provider}`;
}

export function reached(url: string, status: number): string {
	return t`${request(url)}: status ${status}`;
}

export function unreachable(url: string, reason: string): string {
	return t`${request(url)}: the server cannot be reached (${reason})`;
}

export function timedOut(url: string, ms: number): string {
	return t`${request(url)}: no answer within ${ms / 1000} s`;
}

function request(url: string): string {
	return t`GET ${url} without a key`;
}

export function unclosedQuote(command: string): string {
	return t`Unclosed quote in ${command}. Set VISUAL or EDITOR`;
}

/**
Says that a program can confine commands, but cannot put layers over the project. `why` is the reason, as a part of a
sentence.
*/
export function withoutCells(program: string, why: string): string {
	return t`${program} works, but cells (layers over the project) do not: ${why}. Confined commands change the
		project directly`;
}

export function programMissing(name: string, without: string): string {
	return t`${name} not found or not executable: ${without}`;
}

export function folderWritable(root: string, exists: boolean): string {
	return exists ? t`${root} is writable` : t`${root} does not exist yet and can be created`;
}

export function folderReadOnly(folder: string, code: string, root: string): string {
	return t`${folder} is not writable (${code}), so sessions cannot be saved in ${root}`;
}

export function sessionCount(count: number, bytes: number): string {
	return `${count} ${count === 1 ? t`session` : t`sessions`}, ${size(bytes)}`;
}

export function moreBroken(count: number): string {
	return t`and ${count} more that cannot be opened`;
}

export function openIn(id: string, pid: number, host: string): string {
	return t`${id} in process ${pid} on ${host}`;
}

export function openSessions(sessions: readonly string[]): string {
	return t`Open: ${list(sessions)}`;
}

export function staleLocks(sessions: readonly string[]): string {
	return t`Locks of exited processes, which the next start takes over: ${list(sessions)}`;
}

export function staleSockets(folder: string, names: readonly string[]): string {
	return t`Sockets of exited processes in ${folder}, safe to remove: ${list(names)}`;
}

export function attachBroken(sentence: string): string {
	return t`Other terminals cannot attach: ${sentence}`;
}

const maxListed = 5;

function list(names: readonly string[]): string {
	const more = names.length - maxListed;
	return `${names.slice(0, maxListed).join(', ')}${more > 0 ? t` and ${more} more` : ''}`;
}

export function workflowCount(count: number): string {
	return t`${count} available`;
}

export function programVersion(version: string, platform: string, arch: string): string {
	return t`${version} on ${platform} ${arch}`;
}

export function nodeTooOld(version: string, required: string): string {
	return t`${version} is too old: inkpod needs ${required} or newer`;
}

export function notTerminal(facts: readonly string[]): string {
	return t`stdout is not a terminal; the chat needs one (${facts.join(', ')})`;
}

export function terminalSize(columns: number | undefined, rows: number | undefined, facts: readonly string[]): string {
	return t`${columns} columns, ${rows} rows, ${facts.join(', ')}`;
}

/** The texts for environment variables that describe the terminal. */
export const around: ReadonlyArray<readonly [variable: string, text: string]> = [
	['TMUX', t`in tmux`],
	['STY', t`in screen`],
	['SSH_CONNECTION', t`over SSH`],
	['WSL_DISTRO_NAME', t`in WSL`],
];

export function colours(level: 0 | 1 | 2 | 3, isDisabled: boolean): string {
	return `${colourNames[level]}${isDisabled ? t` (NO_COLOR is set)` : ''}`;
}

export function notUtf8(name: string, value: string): string {
	return t`${name}=${value} is not a UTF-8 locale, but inkpod writes UTF-8`;
}

/** Says where a key was found. `source` is a text such as `key from keychain`. */
export function keyFound(provider: string, source: string): string {
	return `${provider}: ${source}`;
}

export const noKeys = t`No key found. Enter one with: inkpod login anthropic (or openai, google, openrouter), or set
	ANTHROPIC_API_KEY`;

export function keychainFound(path: string): string {
	return t`${path}: inkpod login stores keys in the system's keychain`;
}

/**
Says that the keychain is missing. `program` is the program of the keychain, and `file` is the file that is used
instead.
*/
export function keychainMissing(program: string, file: string): string {
	return t`No ${program} found: inkpod login stores keys in ${file}, which only you can read`;
}

/** Lists the models of a server on this machine, each with its window. */
export function localServer(provider: string, models: readonly string[]): string {
	return `${provider}: ${list(models)}`;
}

export function localModel(name: string, window: string | undefined): string {
	return window === undefined ? t`${name} (window unknown)` : t`${name} (window ${window})`;
}

export const noLocalServer = t`No model server answers on this machine (Ollama, LM Studio, llama.cpp, vLLM)`;

/** Returns the line about the chosen model, with the reason for the choice and facts about the model. */
export function chosenModel(name: string, facts: readonly string[]): string {
	return [name, ...facts].join(', ');
}

export function windowOf(window: string): string {
	return t`window ${window}`;
}

type NextStep = {
	readonly hasKey: boolean;
	/** The name of a model on this machine. */
	readonly local: string | undefined;
};

/** The next step for a user without a model. */
export function nextStep({hasKey, local}: NextStep): string {
	if (local !== undefined) return t`No model is chosen. Use the one on this machine with: inkpod --model ${local}`;
	return hasKey
		? t`No model is chosen. List the models with inkpod models, and choose one with --model or /model`
		: t`No model is connected. Enter a key with inkpod login PROVIDER, or start a local server such as Ollama`;
}

/**
Says that the server does not get some API keys. `providers`: the providers whose keys are only in the environment of
this shell.
*/
export function serveLacks(providers: readonly string[]): string {
	const keys = providers.length === 1 ? t`the key` : t`the keys`;
	return t`If your system starts inkpod serve, the server does not get ${keys} of ${list(providers)}. Use inkpod login
		to store keys`;
}

export function socketsIn(folder: string): string {
	return t`Sockets in ${folder}`;
}

export function keyProblem(file: string, problem: string): string {
	return t`${file}, [keys]: ${problem}`;
}

export function configFile(file: string, exists: boolean, hooks: number): string {
	if (!exists) return t`${file} does not exist`;
	return hooks === 0 ? file : t`${file}, hooks: ${hooks}`;
}

export function projectFile(pwd: string, file: string | undefined): string {
	return `${pwd}, ${file === undefined ? t`no inkpod.toml` : t`from ${file}`}`;
}
