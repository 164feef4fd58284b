import process from 'node:process';
import {socketFolder, systemOf, type Env, networkOf} from '../../pod/index.ts';
import {colourLevel} from '../../screen/spans/theme.ts';
import {
	around,
	colours,
	localeUnset,
	nodeTooOld,
	noSocketFolder,
	notTerminal,
	notUtf8,
	programVersion,
	socketsIn,
	terminalSize,
	termUnset,
	networkVariables,
} from './texts.ts';
import {networkProblems} from '../../worker/index.ts';

type Terminal = {
	readonly isTTY?: boolean;
	readonly columns?: number;
	readonly rows?: number;
	readonly getColorDepth?: (env?: object) => number;
};

/** Describes the program and the terminal (from environment variables). */
export function environmentFacts(version: string, env: Env, terminal: Terminal): Fact[] {
	return [
		{about: 'inkpod', level: 'ok', text: programVersion(version, systemOf().name, process.arch)},
		nodeFact(process.versions.node),
		terminalFact(env, terminal),
		colourFact(env, terminal),
		localeFact(env),
		socketFact(env),
	];
}

/** One line of the report. A `note` is useful to know but needs no fix. */
export type Fact = {readonly about: string; readonly level: 'ok' | 'note' | 'broken'; readonly text: string};

/** Names the variables that change how inkpod connects, and says which of them are not valid. */
export async function networkFacts(env: Env): Promise<Fact[]> {
	const network = networkOf(env);
	if (network === undefined) return [];
	const {proxies, certificates} = network;
	const settings = [proxies?.http, proxies?.https, certificates?.file, certificates?.directory];
	const names = [...new Set(settings.flatMap(setting => setting?.variable ?? []))];
	const problems = await networkProblems(network);
	return [
		{about: 'network', level: 'ok', text: networkVariables(names)},
		...problems.map((text): Fact => ({about: 'network', level: 'broken', text: text.replace(/\.$/, '')})),
	];
}

/** The oldest Node.js that inkpod runs on, as in `engines` of package.json. */
const oldest = [22, 19] as const;

function nodeFact(version: string): Fact {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	const isEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
	if (isEnough) return {about: 'node', level: 'ok', text: version};
	return {about: 'node', level: 'broken', text: nodeTooOld(version, oldest.join('.'))};
}

function terminalFact(env: Env, {isTTY, columns, rows}: Terminal): Fact {
	const term = env['TERM'] ?? '';
	const program = env['TERM_PROGRAM'] ?? '';
	const facts = [
		term === '' ? termUnset : `TERM=${term}`,
		...(program === '' ? [] : [program]),
		...around.flatMap(([variable, text]) => (isSet(env, variable) ? [text] : [])),
	];
	if (isTTY !== true) return {about: 'terminal', level: 'note', text: notTerminal(facts)};
	const level = term === '' || term === 'dumb' ? 'note' : 'ok';
	return {about: 'terminal', level, text: terminalSize(columns, rows, facts)};
}

function colourFact(env: Env, terminal: Terminal): Fact {
	const depth = terminal.getColorDepth?.(env) ?? 1;
	const level = colourLevel(env, depth >= 24 ? 3 : depth >= 8 ? 2 : depth >= 4 ? 1 : 0);
	return {about: 'colours', level: 'ok', text: colours(level, isSet(env, 'NO_COLOR') && level === 0)};
}

function localeFact(env: Env): Fact {
	const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find(variable => isSet(env, variable));
	if (name === undefined) return {about: 'locale', level: 'note', text: localeUnset};
	const value = env[name] ?? '';
	return /utf-?8/i.test(value)
		? {about: 'locale', level: 'ok', text: `${name}=${value}`}
		: {about: 'locale', level: 'note', text: notUtf8(name, value)};
}

function socketFact(env: Env): Fact {
	const folder = socketFolder(env);
	return folder === undefined
		? {about: 'attach', level: 'note', text: noSocketFolder}
		: {about: 'attach', level: 'ok', text: socketsIn(folder)};
}

function isSet(env: Env, name: string): boolean {
	return (env[name] ?? '').trim() !== '';
}
