import {lstat, readdir, realpath} from 'node:fs/promises';
import {isAbsolute, join, resolve} from 'node:path';
import {runsLater} from '../approval/runs-later.ts';
import {configDirectory, homeOf, type Env} from '../env/env.ts';
import {readGitConfigs} from '../scope/git-config.ts';
import {contains} from '../scope/scope.ts';
import {looksSecret} from '../scope/secret.ts';
import {stateHome} from '../session/paths.ts';

/** A file or folder that exists. */
export type Place = {readonly path: string; readonly isFolder: boolean};

/**
Returns what other programs run or read as their configuration, and what holds it, as far as it exists. A folder that is
`held` stays writable, but cannot be renamed, so that no other folder takes its name.
*/
export async function protectedPlaces(
	pwd: string,
	env: Env,
): Promise<{readonly readOnly: readonly Place[]; readonly held: readonly Place[]}> {
	const git = join(pwd, '.git');
	const [names, hooks] = await Promise.all([readdir(pwd).catch(() => []), hookFolders(pwd, env)]);
	const own = names.filter(name => name !== '.git' && runsLater(name)).map(name => join(pwd, name));
	const isRepository = (await placeOf(git))?.isFolder === true;
	const inGit = isRepository ? gitNames.map(name => join(git, name)) : [git];
	return {
		readOnly: await existing([...own, ...inGit, ...hooks.filter(path => contains(pwd, path) && path !== pwd)]),
		held: isRepository ? await existing([git]) : [],
	};
}

/** What git runs or takes commands from, in its folder. */
const gitNames = ['hooks', 'config', 'config.worktree', 'modules', 'worktrees', 'info/attributes'] as const;

/** Returns the folders in which the configurations of a repository and of the user keep hooks. */
async function hookFolders(pwd: string, env: Env): Promise<readonly string[]> {
	const {folders} = await readGitConfigs([join(pwd, '.git/config'), join(homeOf(env), '.gitconfig')], env);
	return folders.map(folder => resolve(pwd, folder));
}

/**
Returns inkpod's own files, and the usual places of secrets in the home folder, as far as they exist. In the project
itself only inkpod's own files are hidden.
*/
export async function hiddenPlaces(pwd: string, env: Env): Promise<readonly Place[]> {
	const home = homeOf(env);
	const names = await readdir(home).catch((): string[] => []);
	const inConfig = await readdir(join(home, '.config')).catch((): string[] => []);
	const own = await existing([stateHome(env), configDirectory(env)]);
	const secrets = await existing([
		...names.filter(name => folders.has(name) || looksSecret(join(home, name))).map(name => join(home, name)),
		...inConfig.filter(name => configFolders.has(name)).map(name => join(home, '.config', name)),
		...deeper.map(path => join(home, path)),
	]);
	const isApart = ({path}: Place) => !contains(path, pwd) && !contains(pwd, path);
	return [...own.filter(({path}) => !contains(path, pwd)), ...secrets.filter(isApart)];
}

/** The folders of the home folder that hold secrets as a whole. */
const folders: ReadonlySet<string> = new Set([
	'.ssh',
	'.gnupg',
	'.aws',
	'.azure',
	'.password-store',
	'.electrum',
	'.bitcoin',
	'.op',
	'.sops',
	'.kube',
	'.docker',
	'.cloudflared',
	'.oci',
	'.snowsql',
	'.subversion',
	'.mozilla',
	'.thunderbird',
	'.claude',
	'.codex',
	'.gemini',
	'.pi',
	'.1password',
]);
const configFolders: ReadonlySet<string> = new Set([
	'gcloud',
	'gh',
	'glab-cli',
	'doctl',
	'op',
	'rclone',
	'sops',
	'hub',
	'github-copilot',
	'configstore',
	'argocd',
	'helm',
	'stripe',
	'hcloud',
	'containers',
	'chromium',
	'google-chrome',
	'BraveSoftware',
	'Bitwarden',
	'Signal',
]);
const deeper = [
	'.local/share/keyrings',
	'.local/share/kwalletd',
	'.local/share/opencode/auth.json',
	'.config/opencode/auth.json',
	'.m2/settings.xml',
	'.m2/settings-security.xml',
	'.gradle/gradle.properties',
	'.bundle/config',
	'.cargo/credentials',
	'.cargo/credentials.toml',
	'.composer/auth.json',
	'.config/composer/auth.json',
	'.config/netlify/config.json',
	'.cache/huggingface/token',
	'.huggingface/token',
	'.terraform.d/credentials.tfrc.json',
	'Library/Keychains',
	'Library/Cookies',
] as const;

/** Returns the folders that may hold sockets, as real paths: a read-only mount does not stop a connection. */
export async function socketFolders(env: Env): Promise<readonly Place[]> {
	return existing(['/run', '/var/run', '/tmp', ...[env['XDG_RUNTIME_DIR'] ?? ''].filter(isAbsolute)]);
}

/** Returns the sockets outside of these folders that the environment names. */
export async function namedSockets(env: Env): Promise<readonly Place[]> {
	const paths = [env['SSH_AUTH_SOCK'] ?? '', (env['TMUX'] ?? '').split(',')[0] ?? ''];
	return existing(paths.filter(isAbsolute));
}

/** The variables that lead to sockets. A confined command does not get them. */
export const socketVariables: readonly string[] = [
	'SSH_AUTH_SOCK',
	'SSH_AGENT_PID',
	'GPG_AGENT_INFO',
	'DBUS_SESSION_BUS_ADDRESS',
	'DBUS_SYSTEM_BUS_ADDRESS',
	'TMUX',
	'TMUX_PANE',
	'STY',
	'DISPLAY',
	'WAYLAND_DISPLAY',
	'XAUTHORITY',
	'XDG_RUNTIME_DIR',
	'DOCKER_HOST',
	'INKPOD_HOME',
];

async function existing(paths: readonly string[]): Promise<readonly Place[]> {
	const found = await Promise.all([...new Set(paths)].map(placeOf));
	const unique = new Map(found.flatMap(place => (place === undefined ? [] : [[place.path, place]])));
	return [...unique.values()];
}

/** A link is followed, because a mount follows it, too. */
async function placeOf(path: string): Promise<Place | undefined> {
	try {
		const real = await realpath(path);
		return {path: real, isFolder: (await lstat(real)).isDirectory()};
	} catch {
		return undefined;
	}
}
