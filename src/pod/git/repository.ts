import type {Env} from '../env/env.ts';
import {runGit, whyFailed} from './run-git.ts';
import {gitTexts} from './texts.ts';

/** The facts about a repository that a diff needs. */
export type Repository = {
	/** The top of the working tree. */
	readonly top: string;
	readonly objects: string;
	readonly index: string;
	/** The file with ignore patterns of the repository that are not committed. It may not exist. */
	readonly exclude: string;
	/** Whether the names of objects are sha256 hashes. */
	readonly isSha256: boolean;
	/** The commit of HEAD as an argument. It is empty before the first commit. */
	readonly head: readonly string[];
	/** The settings that determine how files are compared. None of them names a program or a path. */
	readonly settings: ReadonlyArray<readonly [key: string, value: string]>;
};

export type FoundRepository =
	| {readonly ok: true; readonly repository: Repository}
	| {readonly ok: false; readonly sentence: string};

/**
Reads the facts about the repository of a directory. The commands only read paths, references and settings, and start no
program. git itself refuses a repository of another user.
*/
export async function readRepository(git: string, cwd: string, env: Env): Promise<FoundRepository> {
	const options = {cwd, env: readingEnv(env), maxBytes: 65_536};
	const ask = async (...args: readonly string[]) => runGit(git, [...guards, ...args], options);
	const [places, head, settings] = await Promise.all([
		ask('rev-parse', '--path-format=absolute', ...asked),
		ask('rev-parse', '--quiet', '--verify', 'HEAD'),
		ask('config', '-z', '--get-regexp', `^core\\.(${plainKeys.join('|')})$`),
	]);
	if (places.type !== 'done') return {ok: false, sentence: whyFailed(places)};
	const [top, objects, index, exclude, format, ...more] = places.output.toString().replace(/\n$/, '').split('\n');
	if (format === undefined || more.length > 0) return {ok: false, sentence: gitTexts.failed('')};
	const commit = head.type === 'done' ? head.output.toString().trim() : '';
	return {
		ok: true,
		repository: {
			top: top ?? '',
			objects: objects ?? '',
			index: index ?? '',
			exclude: exclude ?? '',
			isSha256: format === 'sha256',
			head: /^(?:[\da-f]{40}|[\da-f]{64})$/.test(commit) ? [commit] : [],
			settings: settings.type === 'done' ? settingsIn(settings.output.toString()) : [],
		},
	};
}

/** A folder of a project that looks like a git directory does not count as one. */
const guards = ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false'];
const paths = ['objects', 'index', 'info/exclude'].flatMap(path => ['--git-path', path]);
const asked = ['--show-toplevel', ...paths, '--show-object-format'];

/** Names of `core` settings whose values are words from a closed list. */
const plainKeys = [
	'autocrlf',
	'eol',
	'filemode',
	'symlinks',
	'ignorecase',
	'precomposeunicode',
	'trustctime',
	'checkstat',
	'quotepath',
];
const plainValue = /^(?:true|false|yes|no|on|off|0|1|input|lf|crlf|native|default|minimal)$/i;

/** Returns the known settings. Others, and those with other values, are left out. */
function settingsIn(text: string): Repository['settings'] {
	return text.split('\0').flatMap(entry => {
		const [key = '', value = 'true'] = entry.split('\n', 2);
		const name = key.replace(/^core\./, '');
		return plainKeys.includes(name) && plainValue.test(value) ? [[name, value] as const] : [];
	});
}

/** The variables that lead to the user's own configuration. All others, such as GIT_DIR, are left out. */
const readNames = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM', 'SUDO_UID'];

/** Returns the environment in which git finds the configuration of the user. */
export function readingEnv(env: Env): Env {
	const named = readNames.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]] as const]));
	return {...Object.fromEntries(named), GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C'};
}
