import {existsSync} from 'node:fs';
import {basename, isAbsolute} from 'node:path';
import type {Env} from './env.ts';
import {withheldNames} from './key-names.ts';

/**
Returns the environment for a program that inkpod starts: the user's environment, without model API keys
(key-names.ts). `keyNames` are the variables of keys that the user's configuration names.
*/
export function childEnv(env: Env, keyNames: readonly string[] = []): Env {
	const withheld = withheldNames(env, keyNames);
	return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name)));
}

/**
Returns the environment without the keys that only the user's configuration names, and without other variables that
contain these keys.
*/
export function withoutNamedKeys(env: Env, keyNames: readonly string[]): Env {
	if (keyNames.length === 0) return env;
	const [known, all] = [withheldNames(env), withheldNames(env, keyNames)];
	return Object.fromEntries(Object.entries(env).filter(([name]) => known.has(name) || !all.has(name)));
}

/** Returns the user's shell. Ignores a relative path, which would lead into the project. */
export function shellOf(env: Env): string {
	const shell = env['SHELL'];
	return shell !== undefined && isAbsolute(shell) ? shell : '/bin/sh';
}

/**
Returns the path of bash: the user's shell if that is bash, otherwise a bash in the usual places, and otherwise /bin/sh.
*/
export function bashOf(env: Env): string {
	const shell = shellOf(env);
	return basename(shell) === 'bash' ? shell : (bashPlaces.find(path => existsSync(path)) ?? '/bin/sh');
}

const bashPlaces = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];
