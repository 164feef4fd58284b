import {readdirSync} from 'node:fs';
import {basename, delimiter, dirname, isAbsolute, join, normalize, relative} from 'node:path';
import type {Env} from '../../ground/env/env.ts';
import {contains} from '../../ground/files/contains.ts';
import {folderNames} from './folder-names.ts';
import {canBeEntered, isFile, isFolder, realApart, type Shown} from './shown.ts';
import type {Kinds} from './way.ts';

type ToolChainOptions = {
	/** The real path of the user's home folder. */
	readonly home: string;
	readonly env: Env;
	/**
	Tells whether commands may see a real path. They may not see a path that contains the home folder, or that contains
	or is inside one of inkpod's own folders.
	*/
	readonly isShowable: (real: string) => boolean;
	/** Tells whether a path is in the project or a folder that the user named. Links there could lead to any file. */
	readonly isOfProject: (path: string) => boolean;
};

/**
Returns the existing tool chains outside of the system's folders. These are the folders in the home folder that the
table names, the folders of PATH with related folders, the targets of links in the folders of PATH, and the folders and
certificates that variables name. A project
adds nothing: paths in it, and targets of links in it, do not count.
*/
export function toolChains({home, env, isShowable, isOfProject}: ToolChainOptions): readonly Shown[] {
	const found = new Map<string, string>();
	const add = (path: string): void => {
		const real = found.has(path) || isOfSystem(path) ? undefined : realApart(path, isOfProject);
		if (real === undefined || isOfProject(real) || !isShowable(real)) return;
		const folder = isFolder(real) ? real : isFile(real) ? dirname(real) : undefined;
		if (folder !== undefined && canBeEntered(folder)) found.set(path, real);
	};
	const inHomeFolder = folderNames(home);
	const mayExist = (name: string) => inHomeFolder.size === 0 || inHomeFolder.has(name.split('/', 1)[0] ?? '');
	for (const name of table) if (mayExist(name)) add(join(home, name));
	for (const folder of pathFolders(home, env)) {
		for (const path of [folder, ...partsOf(folder, home)]) add(path);
		for (const target of found.has(folder) ? linkTargets(folder, isOfProject) : [])
			for (const path of [target, ...partsOf(dirname(target), home), ...modulesOf(target)]) add(path);
	}
	const named = (names: readonly string[]) => names.map(name => env[name] ?? '').filter(isAbsolute);
	for (const path of named(folderVariables)) if (isBelowTop(path, home)) add(inHome(path, home, env));
	for (const path of named(fileVariables)) if (!isFolder(path)) add(inHome(path, home, env));
	return outermost([...found].map(([path, source]) => ({path, source})));
}

/** Variables that contain the folder of a tool chain. */
export const folderVariables = [
	...['JAVA_HOME', 'JDK_HOME', 'GOROOT', 'RUSTUP_HOME', 'PYENV_ROOT', 'RBENV_ROOT', 'NODENV_ROOT', 'NVM_DIR'],
	...['VIRTUAL_ENV', 'CONDA_PREFIX', 'SDKMAN_DIR', 'ASDF_DIR', 'MISE_DATA_DIR', 'VOLTA_HOME', 'FNM_DIR'],
	...['ANDROID_HOME', 'ANDROID_SDK_ROOT', 'M2_HOME', 'MAVEN_HOME', 'GRADLE_HOME', 'DOTNET_ROOT', 'FLUTTER_ROOT'],
	...['NVM_BIN', 'NVM_INC', 'PLAYWRIGHT_BROWSERS_PATH', 'PUPPETEER_CACHE_DIR', 'GEM_HOME', 'NODE_PATH'],
] as const;

/** Variables that contain the path of a file with certificates. */
export const fileVariables = [
	...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'GIT_SSL_CAINFO', 'PIP_CERT'],
	...['CARGO_HTTP_CAINFO', 'NIX_SSL_CERT_FILE', 'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH', 'DENO_CERT'],
] as const;

/** The parts of tool chains in the home folder that contain no credentials. */
const table: readonly string[] = [
	// JavaScript
	...['.nvm', '.fnm', '.local/share/fnm', '.volta', '.n', '.nodenv', '.bun/bin', '.deno/bin', '.yarn/bin'],
	...['.npm-global/bin', '.npm-global/lib', '.config/yarn/global/node_modules', '.local/share/pnpm'],
	...['.cache/node/corepack', '.cache/ms-playwright', '.cache/puppeteer', '.cache/Cypress'],
	// Python
	...['.pyenv', '.local/pipx/venvs', '.local/share/pipx', '.local/share/uv', '.local/share/pypoetry/venv'],
	...['.cache/pypoetry/virtualenvs', '.local/share/virtualenvs', '.virtualenvs', '.cache/pre-commit'],
	// Rust, Go, Java and others
	...['.rustup', '.cargo/bin', 'go/bin', '.goenv', '.sdkman/candidates', '.jenv', '.jdks', '.jabba/jdk'],
	...['.rbenv', '.rvm', '.gem/ruby', '.local/share/gem/ruby', '.phpenv', '.config/composer/vendor'],
	...['.composer/vendor', '.ghcup/bin', '.ghcup/ghc', '.cabal/bin', '.stack/programs', '.opam', '.juliaup/bin'],
	...['.julia/juliaup', '.elan/bin', '.elan/toolchains', '.swiftly/bin', '.mix/archives', '.dotnet/sdk'],
	...['.dotnet/shared', '.dotnet/host', '.dotnet/tools', '.dotnet/packs', '.dotnet/dotnet', '.fvm/versions'],
	// All languages
	...['.asdf', '.local/share/mise', '.local/share/rtx', '.local/bin', '.local/lib', 'bin', '.nix-profile'],
	...['.local/state/nix/profiles', '.fonts', '.local/share/fonts', '.linuxbrew'],
];

/** System folders. `systemPlaces` decides which parts of them a command can read. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt', '/nix/store', '/gnu/store', '/etc', '/proc', '/dev'];

function isOfSystem(path: string): boolean {
	return system.some(folder => contains(folder, path));
}

function pathFolders(home: string, env: Env): readonly string[] {
	const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
	const inside = new Set(folders.map(folder => inHome(normalize(`${folder}/`).slice(0, -1), home, env)));
	return [...inside].filter(folder => !isOfSystem(folder) && isFolder(folder)).slice(0, maxFolders);
}

/** If a path is in the folder that HOME names, replaces that folder with the real home folder. */
function inHome(path: string, home: string, env: Env): string {
	const named = env['HOME'] ?? '';
	return isAbsolute(named) && contains(named, path) ? join(home, relative(named, path)) : path;
}

/**
Returns the folders beside `x/bin` that its programs need. Only known names are returned, because a folder such as
`~/.tool` may contain credentials.
*/
function partsOf(folder: string, home: string): readonly string[] {
	const prefix = dirname(folder);
	if (basename(folder) !== 'bin' || !isBelowTop(prefix, home)) return [];
	// The folder of Go contains a file VERSION, and the folder of Java a file release.
	const isLanguage = ['VERSION', 'release'].some(name => isFile(join(prefix, name)));
	return [...parts, ...(isLanguage ? partsOfLanguage : [])].map(name => join(prefix, name));
}

const parts = ['lib', 'lib64', 'libexec', 'share', 'include', 'pyvenv.cfg'];
const partsOfLanguage = ['pkg', 'src', 'go.env', 'VERSION', 'jmods', 'conf', 'release'];

/**
Tells whether a path may be the folder of one tool. The path must not be the home folder or a folder above it. The path
may be a general hidden folder in the home folder, such as `~/.cache` or `~/.config/x`, only if the table contains it.
*/
function isBelowTop(path: string, home: string): boolean {
	if (contains(path, home)) return false;
	if (!contains(home, path)) return true;
	const name = relative(home, path);
	return !/^(?:\.[^/]+|\.config\/[^/]+|\.local\/[^/]+)$/.test(name) || table.includes(name);
}

/**
Returns the `node_modules` folder of a program, because the program needs the other files of its npm package and the
packages beside it.
*/
function modulesOf(target: string): readonly string[] {
	const at = target.indexOf('/node_modules/');
	return at === -1 ? [] : [`${target.slice(0, at)}/node_modules`];
}

/** Returns the real targets of the links in a folder that lead to programs outside of it. */
function linkTargets(folder: string, isOfProject: (path: string) => boolean): readonly string[] {
	try {
		const kinds: Kinds = new Map();
		const names = readdirSync(folder, {withFileTypes: true}).filter(entry => entry.isSymbolicLink());
		return names.slice(0, maxLinks).flatMap(({name}) => {
			const real = realApart(join(folder, name), isOfProject, kinds);
			return real === undefined || contains(folder, real) || isFolder(real) ? [] : [real];
		});
	} catch {
		return [];
	}
}

const maxFolders = 64;
const maxLinks = 200;

/** Leaves out each place that is inside another place. */
export function outermost(places: readonly Shown[]): readonly Shown[] {
	const paths = new Set(places.map(({path}) => path));
	return places.filter(({path}) => {
		for (let above = dirname(path), below = path; above !== below; below = above, above = dirname(above))
			if (paths.has(above)) return false;
		return true;
	});
}
