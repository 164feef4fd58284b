import {z} from 'zod';
import {childEnv} from '../../ground/env/child-env.ts';
import {withoutCredentials} from '../../../worker/index.ts';
import type {Env} from '../../ground/env/env.ts';
import type {McpServerInfo} from '../../protocol/queries.ts';
import type {TrustContent} from '../../permissions/trust/store.ts';
import {complaintOf, dotted} from '../../config/toml.ts';
import {badHeader, entryProblems, entryRemarks, urlProblems} from './texts.ts';
import {required} from '../../ground/values/is-record.ts';

/**
The definition of a server in a file. `target` is the command or address for lists, without the values of variables.
`remarks` are ends of sentences about the entry.
*/
export type McpEntry = {
	readonly name: string;
	readonly source: McpServerInfo['source'];
	readonly file: string;
	readonly target: string;
	readonly remarks: readonly string[];
	readonly start: McpStart;
};

/**
The way to start or reach a server. A relative `cwd` starts from the scope's `pwd`. `linkTargets` are the targets of the
entry's symbolic links when the user decided about trust (see `linkTargetsOf`).
*/
export type McpStart =
	| {
			readonly transport: 'stdio';
			readonly command: string;
			readonly args: readonly string[];
			readonly env: Readonly<Record<string, string>>;
			readonly cwd?: string | undefined;
			readonly linkTargets?: readonly TrustContent[];
	  }
	| {
			readonly transport: 'http' | 'sse';
			readonly url: string;
			readonly headers: Readonly<Record<string, string>>;
			/** The OAuth client that the user has registered at the server. Most servers let inkpod register itself. */
			readonly oauth?: {readonly clientId?: string | undefined; readonly scope?: string | undefined} | undefined;
	  };

export type ReadEntry =
	| {readonly ok: true; readonly entry: McpEntry}
	| {readonly ok: false; readonly name: string; readonly problem: string};

/**
Reads one entry of `mcpServers`. In the user's own file, environment variables replace `${VAR}` and `${VAR:-default}`.
In other entries, variables are not replaced.
*/
export function readEntry(
	name: string,
	written: unknown,
	{source, file, env}: Pick<McpEntry, 'source' | 'file'> & {readonly env: Env},
): ReadEntry {
	const failed = (problem: string) => ({ok: false as const, name, problem});
	const key = dotted(['mcpServers', name]);
	if (!nameForm.test(name)) return failed(`${key} ${entryProblems.badName}`);
	const parsed = entrySchema.safeParse(written);
	if (!parsed.success) {
		const issue = required(parsed.error.issues[0], 'an issue');
		return failed(
			`${dotted(['mcpServers', name, ...issue.path.map(String)])} ${complaintOf(issue).replace(/\.$/, '')}`,
		);
	}
	const unknown = Object.keys(parsed.data)
		.filter(known => !knownKeys.has(known))
		.slice(0, 8);
	const remarks = unknown.length === 0 ? [] : [entryRemarks.unknownKeys(unknown.map(part => dotted([part])))];
	const start = startOf(parsed.data);
	if (typeof start === 'string') return failed(`${key} ${start}`);
	const target = targetOf(start);
	if (source !== 'user') {
		const left = JSON.stringify(start).search(variable) >= 0 ? [entryRemarks.variablesStay] : [];
		return addressed(start, key, {name, source, file, target, remarks: [...remarks, ...left]});
	}
	const filled = fill(start, env);
	if ('problem' in filled) return failed(`${key} ${filled.problem}`);
	return addressed(filled.value, key, {name, source, file, target, remarks});
}

/**
The allowed form of a server's name. The form is limited because the names of the server's tools contain it, and the
model reads them.
*/
const nameForm = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,63}$/u;

const texts = z.record(z.string(), z.string());
const kinds = ['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'] as const;
const kind = z
	.custom<(typeof kinds)[number]>(value => kinds.some(known => known === value), `must be one of ${kinds.join(', ')}`)
	.optional();
const known = {
	type: kind,
	transport: kind,
	command: z.string().min(1).optional(),
	args: z.array(z.string()).optional(),
	env: texts.optional(),
	cwd: z.string().optional(),
	url: z.string().optional(),
	headers: texts.optional(),
	oauth: z.object({clientId: z.string().min(1).optional(), scope: z.string().optional()}).optional(),
};
const knownKeys: ReadonlySet<string> = new Set(Object.keys(known));
const entrySchema = z.looseObject(known);

/** Returns the way to start or reach a server, or the end of a sentence about a mistake in the entry. */
function startOf({
	type,
	transport = type,
	command,
	args = [],
	env = {},
	cwd,
	url,
	headers = {},
	oauth,
}: z.infer<typeof entrySchema>): McpStart | string {
	if (command !== undefined && url !== undefined) return entryProblems.commandAndUrl;
	if (command !== undefined)
		return transport === undefined || transport === 'stdio'
			? {transport: 'stdio', command, args, env, cwd}
			: entryProblems.commandOver(transport);
	if (url === undefined) return entryProblems.noStart;
	return transport === 'stdio'
		? entryProblems.urlOverStdio
		: {transport: transport === 'sse' ? 'sse' : 'http', url, headers, oauth};
}

function addressed(start: McpStart, key: string, entry: Omit<McpEntry, 'start'>): ReadEntry {
	const problem = start.transport === 'stdio' ? undefined : (urlProblem(start.url) ?? headerProblem(start.headers));
	return problem === undefined
		? {ok: true, entry: {...entry, start}}
		: {ok: false, name: entry.name, problem: `${key}${problem}`};
}

function urlProblem(written: string): string | undefined {
	const url = URL.parse(written);
	if (url === null || !['http:', 'https:'].includes(url.protocol)) return urlProblems.scheme;
	return url.username === '' && url.password === '' ? undefined : urlProblems.password;
}

function headerProblem(headers: Readonly<Record<string, string>>): string | undefined {
	const bad = Object.entries(headers).find(
		([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value),
	);
	return bad === undefined ? undefined : badHeader(dotted([bad[0]]));
}

/** Returns a command with its arguments as one line. The lines of different commands are different. */
export function commandLine({
	command,
	args,
}: Pick<Extract<McpStart, {transport: 'stdio'}>, 'command' | 'args'>): string {
	return [command, ...args].map(word => (/^[^\s"'\\]+$/u.test(word) ? word : JSON.stringify(word))).join(' ');
}

function targetOf(start: McpStart): string {
	if (start.transport === 'stdio') return withoutCredentials(commandLine(start));
	const [target = ''] = start.url.split(/[?#]/, 1);
	return withoutCredentials(target);
}

const variable = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

type Filled<Value> = {readonly value: Value} | {readonly problem: string};

/** Replaces the variables in every text of an entry. Variables with model API keys are refused. */
function fill(start: McpStart, env: Env): Filled<McpStart> {
	const shared = childEnv(env);
	const missing = new Set<string>();
	const text = (written: string) =>
		written.replaceAll(variable, (_whole, name: string, otherwise: string | undefined) => {
			const value = shared[name] ?? otherwise;
			if (value === undefined) missing.add(name);
			return value ?? '';
		});
	const all = (record: Readonly<Record<string, string>>) =>
		Object.fromEntries(Object.entries(record).map(([name, value]) => [name, text(value)]));
	const value: McpStart =
		start.transport === 'stdio'
			? {
					transport: 'stdio',
					command: text(start.command),
					args: start.args.map(text),
					env: all(start.env),
					...(start.cwd !== undefined && {cwd: text(start.cwd)}),
				}
			: {...start, url: text(start.url), headers: all(start.headers)};
	const [first] = missing;
	if (first === undefined) return {value};
	return {
		problem: env[first] === undefined ? entryProblems.variableNotSet(first) : entryProblems.modelKey(first),
	};
}
