import {lstat, readdir, readFile, realpath} from 'node:fs/promises';
import {basename, dirname, isAbsolute, join} from 'node:path';
import {runsLater} from '../approval/runs-later.ts';
import {configDirectory, homeOf, type Env} from '../env/env.ts';
import {contains} from '../scope/scope.ts';
import {looksSecret} from '../scope/secret.ts';
import {stateHome} from '../session/paths.ts';
import {identified, linkedFiles, type RunLater} from './created.ts';
import {gitPlaces, noGitPlaces, sharedGitPlaces, type GitPlaces, type SharedGit} from './git-places.ts';

/** A file or folder that exists. */
export type Place = {readonly path: string; readonly isFolder: boolean};

/**
Returns what other programs run or read as their configuration, and what holds it, as far as it exists. A folder that is
`held` stays writable, but cannot be renamed, so that no other folder takes its name.
*/
export async function protectedPlaces(pwd: string, env: Env, shared?: SharedGit): Promise<ProtectedPlaces> {
	const places = await runLaterPlaces(pwd, env, shared);
	const [readOnly, held, present] = await Promise.all([
		existing([...places.files, ...places.git.readOnly]),
		existing(places.git.held),
		runLaterOf(places),
	]);
	return {readOnly, held: held.toSorted((one, other) => (one.path < other.path ? -1 : 1)), present};
}

/** `present`: all that other programs run now, to find out later what a command created. */
export type ProtectedPlaces = {
	readonly readOnly: readonly Place[];
	readonly held: readonly Place[];
	readonly present: RunLater;
};

/** Returns what other programs run in a project now. */
export async function presentRunLater(pwd: string, env: Env, shared?: SharedGit): Promise<RunLater> {
	return runLaterOf(await runLaterPlaces(pwd, env, shared));
}

type RunLaterPlaces = {
	readonly files: readonly string[];
	readonly repositories: readonly string[];
	readonly git: GitPlaces;
};

async function runLaterOf({files, repositories, git}: RunLaterPlaces): Promise<RunLater> {
	const paths = [...files, ...repositories, ...git.readOnly, ...git.held, ...git.programs];
	const [present, linked] = await Promise.all([identified(paths), linkedFiles(git.directories)]);
	return {present, throughGit: new Set(git.programs), directories: new Set(git.directories), linked};
}

async function runLaterPlaces(pwd: string, env: Env, shared: SharedGit | undefined): Promise<RunLaterPlaces> {
	const {files, repositories} = await runLaterIn(pwd);
	// A worktree, a submodule and a separate repository have a `.git` file.
	const gits = [...repositories, ...files.filter(file => basename(file) === '.git')];
	const [git, others] = await Promise.all([
		gitPlaces(pwd, gits.map(dirname), env),
		shared === undefined ? noGitPlaces : sharedGitPlaces(shared),
	]);
	return {
		files,
		repositories,
		git: {
			readOnly: [...git.readOnly, ...others.readOnly],
			held: git.held,
			programs: [...git.programs, ...others.programs],
			directories: git.directories,
		},
	};
}

/**
Returns the files that other programs run, and the folders of git, in a project and in its folders near the top. It
leaves out installed packages, and stops after a number of folders.
*/
export async function runLaterIn(
	pwd: string,
): Promise<{readonly files: readonly string[]; readonly repositories: readonly string[]}> {
	const files: string[] = [];
	const repositories: string[] = [];
	let level = [pwd];
	for (let depth = 0, read = 0; level.length > 0 && depth < maxDepth && read < maxFolders; depth++) {
		const folders = level.slice(0, maxFolders - read);
		read += folders.length;
		const lists = await Promise.all(folders.map(async folder => listed(folder)));
		level = [];
		for (const {path, name, isFolder} of lists.flat()) {
			if (name === '.git' && isFolder) repositories.push(path);
			else if (runsLater(name)) files.push(path);
			else if (isFolder && !passedOver.has(name)) level.push(path);
		}
	}
	return {files, repositories};
}

const maxDepth = 8;
const maxFolders = 300;
/** Folders of installed and built files. */
const passedOver: ReadonlySet<string> = new Set([
	'node_modules',
	'target',
	'dist',
	'build',
	'.venv',
	'vendor',
	'.cache',
]);

async function listed(folder: string) {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	return entries.map(entry => ({path: join(folder, entry.name), name: entry.name, isFolder: entry.isDirectory()}));
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
		...systemSecrets,
		...secretVariables.map(name => env[name] ?? '').filter(isAbsolute),
		...names.filter(name => folders.has(name) || looksSecret(join(home, name))).map(name => join(home, name)),
		...inConfig.filter(name => configFolders.has(name)).map(name => join(home, '.config', name)),
		...deeper.map(path => join(home, path)),
	]);
	const isApart = ({path}: Place) => !contains(path, pwd) && !contains(pwd, path);
	return [...own.filter(({path}) => !contains(path, pwd)), ...secrets.filter(isApart)];
}

/** A command that runs as root could read these. */
const systemSecrets = [
	...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'],
	...['/etc/ssl/private', '/etc/wireguard', '/etc/NetworkManager/system-connections', '/var/lib/docker'],
	...['/etc/ssh/ssh_host_rsa_key', '/etc/ssh/ssh_host_ecdsa_key', '/etc/ssh/ssh_host_ed25519_key'],
] as const;

/** Variables that contain the path of a login. */
const secretVariables = [
	...['GOOGLE_APPLICATION_CREDENTIALS', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'KUBECONFIG', 'GNUPGHOME'],
	...['XAUTHORITY', 'DOCKER_CONFIG', 'NETRC', 'NPM_CONFIG_USERCONFIG', 'AZURE_CONFIG_DIR', 'ICEAUTHORITY'],
] as const;

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
	'.pki',
	'.step',
	'.age',
	'.putty',
	'.snowflake',
	'.terraform.d',
	'.fly',
	'.Xauthority',
	'.ICEauthority',
	'.claude.json',
	'.git-credentials',
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
	return existing(['/run', '/var/run', '/tmp', '/var/tmp', ...[env['XDG_RUNTIME_DIR'] ?? ''].filter(isAbsolute)]);
}

/** Returns the sockets outside of these folders that the environment names. */
export async function namedSockets(env: Env): Promise<readonly Place[]> {
	const bus = [...(env['DBUS_SESSION_BUS_ADDRESS'] ?? '').matchAll(/(?:path|dir)=(\/[^,;]*)/g)];
	const named = [env['SSH_AUTH_SOCK'] ?? '', (env['TMUX'] ?? '').split(',')[0] ?? ''];
	return existing([...named, ...bus.map(([, path = '']) => path), ...(await listeningSockets())].filter(isAbsolute));
}

/** Returns the sockets in the file system on which a program of this machine listens (proc(5), /proc/net/unix). */
async function listeningSockets(): Promise<readonly string[]> {
	const text = await readFile('/proc/net/unix', 'utf8').catch(() => '');
	return [...text.matchAll(/^\S+: \S+ \S+ 00010000 .* (\/\S.*)$/gm)].map(([, path = '']) => path).slice(0, 200);
}

/** Tells whether a variable leads to a socket or contains a login. A confined command does not get it. */
export function isWithheld(name: string): boolean {
	return withheld.has(name) || /^(?:AWS|AZURE)_|(?:_TOKEN|_SECRET|_PASSWORD|_API_KEY|_ACCESS_KEY)$/.test(name);
}

const withheld: ReadonlySet<string> = new Set([
	...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'SSH_ASKPASS', 'GPG_AGENT_INFO', 'GPG_TTY', 'DBUS_SESSION_BUS_ADDRESS'],
	...['DBUS_SYSTEM_BUS_ADDRESS', 'TMUX', 'TMUX_PANE', 'STY', 'DISPLAY', 'WAYLAND_DISPLAY', 'WAYLAND_SOCKET'],
	...['XDG_RUNTIME_DIR', 'XAUTHORITY', 'ICEAUTHORITY', 'SESSION_MANAGER', 'DOCKER_HOST', 'CONTAINER_HOST'],
	...['TMP', 'TEMP', 'INKPOD_HOME', 'GNOME_KEYRING_CONTROL', 'VSCODE_IPC_HOOK_CLI', 'VSCODE_GIT_IPC_HANDLE'],
	...['VSCODE_GIT_ASKPASS_MAIN', 'GIT_ASKPASS', 'KITTY_LISTEN_ON', 'NVIM', 'NVIM_LISTEN_ADDRESS'],
	...['EMACS_SOCKET_NAME', 'GOOGLE_APPLICATION_CREDENTIALS', 'LISTEN_FDS', 'LISTEN_PID', 'NOTIFY_SOCKET'],
	'JOURNAL_STREAM',
]);

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
