import process from 'node:process';
import {keyVariables, socketFolder, type Env} from '../../pod/index.ts';
import {colourLevel} from '../../tui/text/theme.ts';
import type {Fact} from './fact.ts';

type Terminal = {
	readonly isTTY?: boolean;
	readonly columns?: number;
	readonly rows?: number;
	readonly getColorDepth?: (env?: object) => number;
};

/**
The program, the terminal as far as it tells without being taken over, and which keys are set: their names, never a
value.
*/
export function environmentFacts(version: string, env: Env, terminal: Terminal): Fact[] {
	return [
		{about: 'inkpod', level: 'ok', text: `${version} on ${process.platform} ${process.arch}`},
		nodeFact(process.versions.node),
		terminalFact(env, terminal),
		colourFact(env, terminal),
		localeFact(env),
		keyFact(env),
		socketFact(env),
	];
}

/** The oldest Node.js that inkpod runs on: `engines` of package.json. */
const oldest = [22, 19] as const;

function nodeFact(version: string): Fact {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	const isEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
	return {
		about: 'node',
		level: isEnough ? 'ok' : 'broken',
		text: isEnough ? version : `${version} is too old: inkpod needs ${oldest.join('.')}`,
	};
}

function terminalFact(env: Env, {isTTY, columns, rows}: Terminal): Fact {
	const term = env['TERM'] ?? '';
	const around = [
		['TMUX', 'in tmux'],
		['STY', 'in screen'],
		['SSH_CONNECTION', 'over SSH'],
		['WSL_DISTRO_NAME', 'in WSL'],
	].flatMap(([name, words]) => (isSet(env, name!) ? [words!] : []));
	const program = env['TERM_PROGRAM'];
	const told = [
		term === '' ? 'TERM is not set' : `TERM=${term}`,
		...(program === undefined || program === '' ? [] : [program]),
		...around,
	];
	if (isTTY !== true)
		return {
			about: 'terminal',
			level: 'note',
			text: `The output is no terminal, and the chat needs one (${told.join(', ')})`,
		};
	return {
		about: 'terminal',
		level: term === '' || term === 'dumb' ? 'note' : 'ok',
		text: `${columns} columns, ${rows} rows, ${told.join(', ')}`,
	};
}

function colourFact(env: Env, terminal: Terminal): Fact {
	const depth = terminal.getColorDepth?.(env) ?? 1;
	const level = colourLevel(env, depth >= 24 ? 3 : depth >= 8 ? 2 : depth >= 4 ? 1 : 0);
	const why = isSet(env, 'NO_COLOR') && level === 0 ? ' (NO_COLOR is set)' : '';
	return {about: 'colours', level: 'ok', text: `${['none', '16', '256', '16 million'][level]}${why}`};
}

function localeFact(env: Env): Fact {
	const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find(variable => isSet(env, variable));
	if (name === undefined)
		return {
			about: 'locale',
			level: 'note',
			text: 'None of LC_ALL, LC_CTYPE and LANG is set: a terminal may take the output for something else than UTF-8',
		};
	const value = env[name]!;
	return /utf-?8/i.test(value)
		? {about: 'locale', level: 'ok', text: `${name}=${value}`}
		: {about: 'locale', level: 'note', text: `${name}=${value} is not UTF-8, which is what inkpod writes`};
}

function keyFact(env: Env): Fact {
	const present = keyVariables.filter(name => isSet(env, name));
	return {
		about: 'keys',
		level: present.length === 0 ? 'note' : 'ok',
		text: present.length === 0 ? `None is set of ${keyVariables.join(', ')}` : `Set: ${present.join(', ')}`,
	};
}

function socketFact(env: Env): Fact {
	const folder = socketFolder(env);
	return folder === undefined
		? {
				about: 'attach',
				level: 'note',
				text: 'No folder for sockets has a path that is short enough: no other terminal can attach',
			}
		: {about: 'attach', level: 'ok', text: `Sockets in ${folder}`};
}

function isSet(env: Env, name: string): boolean {
	return (env[name] ?? '').trim() !== '';
}
