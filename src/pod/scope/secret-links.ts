import type {Dirent, Stats} from 'node:fs';
import {constants} from 'node:fs';
import {lstat, open, opendir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {errorCode} from '../ground/files/fs-error.ts';
import {identityOf, type FileIdentity} from '../platform/file-identity.ts';
import {fileContainsCredentials, mayContainCredentials} from './git-programs.ts';
import type {Scope} from './scope.ts';
import {looksSecret} from './secret.ts';

/** The files that look like secrets, by device and inode. A hard link has the same inode as its file. */
export type SecretFiles = {
	has(file: FileIdentity): boolean;
	/** Whether any of these files has more than one name (hard link). */
	readonly areLinked: boolean;
};

type SecretFilesOptions = {
	readonly home?: string;
	/** The maximum number of entries to search in all folders of the scope. */
	readonly maxEntries?: number;
	/** The maximum age of a cached result, in milliseconds. */
	readonly maxAgeMs?: number;
	readonly now?: () => number;
};

/**
Finds the files that look like secrets, in a scope's folders and in the usual places of the home folder. The result is
cached for a short time. The search follows no links and skips unreadable folders. The system cannot list the names of a
file, so the search must be limited. Files beyond `maxEntries`, in `node_modules`, or outside of these places are not
found.
*/
export async function secretFiles(scope: Scope, options: SecretFilesOptions = {}): Promise<SecretFiles> {
	const {home = scope.home, maxAgeMs = defaultMaxAgeMs, now = () => performance.now()} = options;
	const known = remembered.get(scope);
	if (known?.home === home && now() - known.since < maxAgeMs) return known.files;
	const found = {home, since: now(), files: collect(scope, home, options.maxEntries ?? defaultMaxEntries)};
	remembered.set(scope, found);
	return found.files;
}

/** A cached result. `since` is the start time of the search. */
type Remembered = {readonly home: string; readonly since: number; readonly files: Promise<SecretFiles>};

const remembered = new WeakMap<Scope, Remembered>();
const defaultMaxAgeMs = 1000;
const defaultMaxEntries = 20_000;
const maxHomeEntries = 5000;
const batchSize = 32;

async function collect({pwd, readRoots}: Scope, home: string, maxEntries: number): Promise<SecretFiles> {
	const keys = new Set<string>();
	let areLinked = false;
	const add = async (path: string) => {
		const stats = await secretStats(path);
		if (stats === undefined) return;
		keys.add(identityOf(stats));
		areLinked ||= stats.nlink > 1;
	};
	await forEachInBatches([...systemFiles, ...homeFiles.map(name => join(home, name))], add);
	const homeBudget = {left: maxHomeEntries};
	await forEachInBatches(
		homeFolders.map(name => join(home, name)),
		async folder => scanFolder(folder, homeBudget, add),
	);
	const budget = {left: maxEntries};
	const visited = new Set<string>();
	for (let folders = [pwd, ...readRoots]; folders.length > 0 && budget.left > 0;) {
		const below: string[] = [];
		const fresh = folders.filter(folder => !visited.has(folder));
		for (const folder of fresh) visited.add(folder);
		await forEachInBatches(fresh, async folder => void below.push(...(await scanFolder(folder, budget, add))));
		folders = below;
	}
	return {has: file => keys.has(identityOf(file)), areLinked};
}

type Budget = {left: number};

/** Scans the entries of one folder. Returns the folders in it that must also be searched. */
async function scanFolder(folder: string, budget: Budget, add: (path: string) => Promise<void>): Promise<string[]> {
	if (budget.left <= 0) return [];
	const below: string[] = [];
	const files: string[] = [];
	try {
		for await (const entry of await opendir(folder, {bufferSize: 256})) {
			budget.left -= 1;
			if (budget.left < 0) break;
			const path = join(folder, entry.name);
			if (entry.isDirectory()) below.push(...searchableFolders(path, entry));
			else if (isCandidate(path, entry)) files.push(path);
		}
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
	}
	await forEachInBatches(files, add);
	return below;
}

/**
Returns a folder as a list, or an empty list for folders of git objects and installed packages, which are skipped.
*/
function searchableFolders(path: string, {name}: Dirent): string[] {
	if (name === 'node_modules' || (name === 'objects' && basename(join(path, '..')) === '.git')) return [];
	return [path];
}

function isCandidate(path: string, entry: Dirent): boolean {
	return entry.isFile() && (looksSecret(path) || mayContainCredentials(path));
}

/** Returns the stats of a file that looks like a secret. Returns `undefined` for any other path. */
async function secretStats(path: string): Promise<Stats | undefined> {
	try {
		const stats = await lstat(path);
		if (!stats.isFile()) return undefined;
		if (looksSecret(path) || (mayContainCredentials(path) && (await pathContainsCredentials(path)))) return stats;
		return undefined;
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
}

/** Opens a git file, and tells whether it contains credentials. For an unreadable file, the result is true. */
export async function pathContainsCredentials(path: string): Promise<boolean> {
	try {
		const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		try {
			return await fileContainsCredentials(handle);
		} finally {
			await handle.close();
		}
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return true;
	}
}

async function forEachInBatches<Value>(
	values: readonly Value[],
	act: (value: Value) => Promise<unknown>,
): Promise<void> {
	for (let at = 0; at < values.length; at += batchSize) await Promise.all(values.slice(at, at + batchSize).map(act));
}

const systemFiles = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers'];

/**
The folders in the home folder whose direct files are checked. The home folder itself contains the shell histories.
*/
const homeFolders = [
	'.',
	'.ssh',
	'.aws',
	'.azure',
	'.kube',
	'.gnupg',
	'.gnupg/private-keys-v1.d',
	'.config/gcloud',
	'.config/gh',
	'.config/git',
	'.config/doctl',
	'.config/glab-cli',
	'.config/rclone',
	'.config/op',
	'.config/containers',
	'.config/sops/age',
	'.config/solana',
	'.config/github-copilot',
	'.config/configstore',
	'.config/netlify',
	'.config/helm',
	'.config/helm/registry',
	'.docker',
	'.m2',
	'.gradle',
	'.cargo',
	'.gem',
	'.bundle',
	'.terraform.d',
	'.composer',
	'.config/composer',
	'.subversion/auth/svn.simple',
	'.claude',
	'.codex',
	'.gemini',
	'.local/share/opencode',
	'.local/share/keyrings',
	'.local/share/kwalletd',
	'.local/share/fish',
	'.local/share/com.vercel.cli',
	'.fly',
	'.oci',
	'.aliyun',
	'.snowflake',
	'.snowsql',
	'.dbt',
	'.cloudflared',
	'.kaggle',
	'.cache/huggingface',
	'.huggingface',
	'.supabase',
	'Library/Keychains',
	'.password-store',
];

const homeFiles = ['.config/hub', '.config/linode-cli', '.vscode/sftp.json'];
