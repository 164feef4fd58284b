import {isAbsolute} from 'node:path';
import type {Env} from './home.ts';
import {keyVariables} from './model-choice.ts';

/** The environment of a program that is started here: the person's, without the keys of models. */
export function childEnv(env: Env): Env {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !keyVariables.includes(name.toUpperCase())));
}

/** The person's shell. One that is named by a relative path would lie in the project. */
export function shellOf(env: Env): string {
	const shell = env['SHELL'];
	return shell !== undefined && isAbsolute(shell) ? shell : '/bin/sh';
}
