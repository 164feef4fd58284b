import {t} from '../../language/index.ts';
import type {McpAction} from '../start/launch.ts';
import {where, type ChatValues, type ValuesOf} from '../start/options.ts';
import {subcommand} from '../start/subcommand.ts';
import {noArguments} from '../start/texts.ts';
import {startOf} from './chat.ts';

const options = {
	write: {about: 'also tools that change files'},
	project: {},
	env: {value: 'K=V', isRepeatable: true},
	header: {value: "'K: V'", isRepeatable: true},
	json: {},
	'no-browser': {about: 'only print the address'},
} as const;

export const mcp = subcommand({
	name: 'mcp',
	forms: [
		{words: 'serve', about: 'offer the tools that read files to other programs', options: ['write']},
		{
			words: 'add NAME',
			about: 'add an MCP server: -- COMMAND ARGS, or a URL',
			options: ['project', 'env', 'header'],
		},
		{words: 'list', about: 'list the MCP servers of this directory', options: ['json']},
		{words: 'remove NAME', about: 'remove an MCP server', options: ['project']},
		{words: 'login NAME', about: 'log in to an MCP server with the browser', options: ['no-browser']},
		{words: 'logout NAME', about: 'log out of an MCP server', options: []},
	],
	options,
	read(words, values): McpLaunch | string {
		const action = readAction(words, values);
		return typeof action === 'string' ? action : {command: 'mcp', action};
	},
	async run({action}, {version, env, stdin, stdout, stderr, exit}) {
		const command = await import('../mcp/mcp.ts');
		return command.mcp({action, version, env, stdin, stdout, stderr, signal: exit.signal});
	},
});

type McpLaunch = {readonly command: 'mcp'; readonly action: McpAction};
type McpValues = ValuesOf<typeof options> & ChatValues;

/** Returns what to do, or a sentence about a mistake. */
function readAction([kind = '', ...words]: readonly string[], values: McpValues): McpAction | string {
	const {json = false, project: isProject = false, write = false} = values;
	const place = where(values);
	if ((kind === 'serve' || kind === 'list') && words.length > 0) return noArguments(`mcp ${kind}`, words);
	if (kind === 'serve') return {kind, write, start: startOf(values)};
	if (kind === 'list') return {kind, json, ...place};
	const [name = '', ...rest] = words;
	if (kind === 'remove' || kind === 'login' || kind === 'logout') {
		if (name === '' || rest.length > 0) return t`inkpod mcp ${kind} needs the name of one server.`;
		if (kind === 'remove') return {kind, name, isProject, ...place};
		if (kind === 'logout') return {kind, name, ...place};
		const {trust = false, 'no-browser': noBrowser = false} = values;
		return {kind, name, noBrowser, trust, ...place};
	}
	if (kind !== 'add') return t`inkpod mcp needs an action: serve, add, list, remove, login or logout.`;
	if (name === '' || rest[0] === undefined)
		return t`Write inkpod mcp add NAME -- COMMAND ARGS, or inkpod mcp add NAME URL.`;
	const entry = readEntry(rest, values);
	return typeof entry === 'string' ? entry : {kind, name, entry, isProject, ...place};
}

type ServerEntry = Readonly<Record<string, unknown>>;

function readEntry([first = '', ...args]: readonly string[], {env = [], header = []}: McpValues): ServerEntry | string {
	if (args.length === 0 && /^https?:\/\//i.test(first)) {
		if (env.length > 0) return t`--env is for servers that are programs. Use --header for an address.`;
		const headers = pairs(header, /^([^:\s]+):\s*(.*)$/s);
		if (typeof headers === 'string') return badPair('--header', 'NAME: VALUE');
		return {type: 'http', url: first, ...(header.length > 0 && {headers})};
	}
	if (header.length > 0) return t`--header is for servers with an address. Use --env for a program.`;
	const variables = pairs(env, /^([^=]+)=(.*)$/s);
	if (typeof variables === 'string') return badPair('--env', 'NAME=VALUE');
	return {command: first, ...(args.length > 0 && {args}), ...(env.length > 0 && {env: variables})};
}

/** Returns the values by their names, or the first text that is not a pair. */
function pairs(texts: readonly string[], form: RegExp): Readonly<Record<string, string>> | string {
	const read: Array<[string, string]> = [];
	for (const text of texts) {
		const [, name, value] = form.exec(text) ?? [];
		if (name === undefined || value === undefined) return text;
		read.push([name, value]);
	}
	return Object.fromEntries(read);
}

/** Returns the sentence about a value that is not a pair. It does not repeat the value, which may be a secret. */
function badPair(option: string, form: string): string {
	return t`Invalid ${option}. Write it as '${form}'.`;
}
