import {userInfo} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {authorizationOf, proxyURL, secretsOf, type CertificatePlaces, type Network} from '../../../worker/index.ts';

/** The environment that inkpod was started with. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
Returns the user's home folder: HOME if it is absolute, and otherwise the entry in the system's list of users. A
relative path is never used, because it would lead into the project, and files of the project must not be taken for the
user's own files. If the user has no home folder, it returns the root folder.
*/
export function homeOf(env: Env): string {
	return ownHome(env) ?? '/';
}

/** Tells whether the user has a home folder. A user who is not listed, as in some containers, may have none. */
export function hasHome(env: Env): boolean {
	return ownHome(env) !== undefined;
}

function ownHome(env: Env): string | undefined {
	const home = env['HOME'];
	return home !== undefined && isAbsolute(home) ? home : listedHome();
}

/**
Returns the folder `inkpod` in a folder of the XDG Base Directory Specification. According to the specification,
relative paths in these variables are ignored. In that case `fallback` is used.
*/
export function xdgFolder(env: Env, variable: XdgVariable, fallback: string): string {
	return join(xdgParent(env, variable, fallback), 'inkpod');
}

type XdgVariable = 'XDG_CACHE_HOME' | 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME';

/** Returns the folder that the specification defines, without `inkpod`. */
export function xdgParent(env: Env, variable: XdgVariable, fallback: string): string {
	const base = env[variable];
	return base !== undefined && isAbsolute(base) ? base : fallback;
}

/** Returns the folder of the user's configuration: `$XDG_CONFIG_HOME/inkpod`, or otherwise `~/.config/inkpod`. */
export function configDirectory(env: Env): string {
	return xdgFolder(env, 'XDG_CONFIG_HOME', join(homeOf(env), '.config'));
}

/**
Returns the proxies and certificates that the user's environment names, or `undefined` for direct connections. The
variables are the same as for curl, and names in lower case have priority. HTTP uses HTTP_PROXY in either case, and
HTTPS uses HTTPS_PROXY. ALL_PROXY applies to a protocol that has no variable of its own.
*/
export function networkOf(env: Env): Network | undefined {
	const all = settingOf(env, 'ALL_PROXY');
	const http = settingOf(env, 'HTTP_PROXY') ?? all;
	const https = settingOf(env, 'HTTPS_PROXY') ?? all;
	const certificates = certificatesOf(env);
	if (http === undefined && https === undefined && certificates === undefined) return undefined;
	const exceptions = settingOf(env, 'NO_PROXY')?.value ?? '';
	const hasProxy = http !== undefined || https !== undefined;
	const proxies = {http, https, exceptions};
	const values = new Set([http, https].flatMap(setting => setting?.value ?? []));
	const secrets = [...values].flatMap(secretsIn);
	return {
		...(hasProxy && {proxies}),
		certificates,
		...(secrets.length > 0 && {secrets}),
	};
}

/** Returns a path that the user wrote. A `~/` at its start becomes the home folder. */
export function writtenPath(env: Env, path: string): string {
	return path.startsWith('~/') ? join(homeOf(env), path.slice(2)) : path;
}

/** Returns the home folder in the system's list of users. */
function listedHome(): string | undefined {
	try {
		const {homedir} = userInfo();
		return isAbsolute(homedir) ? homedir : undefined;
	} catch {
		return undefined;
	}
}

function secretsIn(proxy: string): readonly string[] {
	const url = proxyURL(proxy);
	if (url === null) return [];
	return [...secretsOf(url), authorizationOf(url)?.replace(/^Basic /, '') ?? ''].filter(text => text !== '');
}

function certificatesOf(env: Env): CertificatePlaces | undefined {
	const [file, directory] = ['SSL_CERT_FILE', 'SSL_CERT_DIR'].map(variable => {
		const path = env[variable];
		return path === undefined || path === '' ? undefined : {variable, path};
	});
	if (file === undefined && directory === undefined) return undefined;
	return {file, directory};
}

function settingOf(env: Env, name: string): {readonly variable: string; readonly value: string} | undefined {
	for (const variable of [name.toLowerCase(), name]) {
		const value = env[variable]?.trim();
		if (value !== undefined && value !== '') return {variable, value};
	}
	return undefined;
}
