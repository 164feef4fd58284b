import {closeSync, constants, fstatSync, openSync, readlinkSync, readSync} from 'node:fs';
import {userInfo} from 'node:os';
import {join} from 'node:path';
import {xdgParent, type Env} from '../../ground/env/env.ts';
import {handleOf, hasHandlePaths} from '../../platform/file-identity.ts';
import {effectiveIds} from '../../platform/system.ts';
import {realApart} from './shown.ts';
import {cargoConfig, gitConfig, goEnv, gradleProperties, mavenSettings, npmConfig, pipConfig} from './tool-configs.ts';

/** A file that a confined command gets as a private copy. */
export type ConfinedFile = GeneratedFile | {readonly path: string; readonly source: string; readonly mode: number};

/** A file that exists only for confined commands. */
type GeneratedFile = {readonly path: string; readonly bytes: Uint8Array};

/**
Returns configuration files for tools in the home folder. They contain only settings of a fixed list: the user's
identity, registries, proxies and certificates. Neither the files nor the addresses in them contain credentials. A file
to which a link in a project leads (`isOfProject`) counts as empty, because it could be any file.
*/
export function generatedConfig(
	home: string,
	env: Env,
	isOfProject: (path: string) => boolean,
): readonly GeneratedFile[] {
	const configs = xdgParent(env, 'XDG_CONFIG_HOME', join(home, '.config'));
	const read = (...paths: readonly string[]) => paths.map(path => beginningOf(path, isOfProject));
	const texts: Readonly<Record<string, string>> = {
		'.gitconfig': gitConfig(read('/etc/gitconfig', join(configs, 'git/config'), join(home, '.gitconfig'))),
		'.config/git/ignore': read(join(configs, 'git/ignore')).join(''),
		'.npmrc': npmConfig(read('/etc/npmrc', '/usr/etc/npmrc', '/usr/local/etc/npmrc', join(home, '.npmrc'))),
		'.config/pip/pip.conf': pipConfig(
			read('/etc/pip.conf', join(home, '.pip/pip.conf'), join(configs, 'pip/pip.conf')),
		),
		'.cargo/config.toml': cargoConfig(read(join(home, '.cargo/config'), join(home, '.cargo/config.toml'))),
		'.config/go/env': goEnv(read(join(configs, 'go/env'))),
		'.m2/settings.xml': mavenSettings(read('/etc/maven/settings.xml', join(home, '.m2/settings.xml'))),
		'.gradle/gradle.properties': gradleProperties(read(join(home, '.gradle/gradle.properties'))),
	};
	return Object.entries(texts).flatMap(([name, text]) =>
		text === '' ? [] : [{path: join(home, name), bytes: Buffer.from(text)}],
	);
}

/**
Returns the files of users and groups. They contain only the system's entries and the user's own. `home` is the user's
home folder in these files, as in HOME.
*/
export function generatedAccounts(home?: string): readonly GeneratedFile[] {
	const {uid, gid} = effectiveIds();
	const lines = (path: string, own: number) =>
		beginningOf(path)
			.split('\n')
			.filter(line => {
				const id = Number(line.split(':')[2]);
				return Number.isInteger(id) && (id < firstUser || id === nobody || id === own);
			});
	const users = lines('/etc/passwd', uid).map(line => withHome(line, uid, home));
	const isListed = users.some(line => Number(line.split(':')[2]) === uid);
	return [
		['/etc/passwd', [...users, ...(isListed ? [] : ownLine())]] as const,
		['/etc/group', lines('/etc/group', gid).map(line => line.replace(/[^:]*$/, ''))] as const,
	].map(([path, list]) => ({path, bytes: Buffer.from(`${list.join('\n')}\n`)}));
}

/** Sets the home folder in the line of the user, because Java takes it from /etc/passwd. */
function withHome(line: string, uid: number, home: string | undefined): string {
	const fields = line.split(':');
	if (home === undefined || Number(fields[2]) !== uid || /[:\n]/.test(home)) return line;
	return fields.with(5, home).join(':');
}

const firstUser = 1000;
const nobody = 65_534;

/** Returns a line for the user, who is not in the file if a directory service manages the accounts. */
function ownLine(): readonly string[] {
	try {
		const {username, uid, gid, homedir, shell} = userInfo();
		const fields = [username, 'x', uid, gid, '', homedir, shell ?? '/bin/sh'].map(field => String(field));
		return fields.some(field => /[:\n]/.test(field)) ? [] : [fields.join(':')];
	} catch {
		return [];
	}
}

const maxBytes = 256 * 1024;

/** Reads the beginning of a regular file. The result is empty if it cannot be read. */
function beginningOf(path: string, isOfProject: (path: string) => boolean = () => false): string {
	const real = realApart(path, isOfProject);
	if (real === undefined) return '';
	let fd: number | undefined;
	try {
		fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK);
		const stats = fstatSync(fd);
		// A command that is running may have replaced a folder with a link.
		const isStill = !hasHandlePaths || readlinkSync(handleOf(fd)) === real;
		if (!stats.isFile() || !isStill) return '';
		const bytes = Buffer.alloc(Math.min(stats.size, maxBytes));
		return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0)).toString();
	} catch {
		return '';
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}
