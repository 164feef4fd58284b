import {dirname} from 'node:path';
import {z} from 'zod';
import type {Env} from '../env/env.ts';
import {fileBounds} from '../config/limits.ts';
import type {McpServerInfo} from '../protocol/queries.ts';
import {strictOwners} from '../scope/owners.ts';
import type {Owners} from '../scope/scope.ts';
import {nameOf, ownFile, ownFileSentence, readSmall} from '../scope/small-file.ts';
import {readEntry, type McpEntry, type ReadEntry} from './entry.ts';
import type {McpFiles} from './config-files.ts';
import {serverPart} from './tool-filter.ts';

/** What the two files say. `broken`: entries that cannot be used, with a whole sentence. */
export type McpConfig = {
	readonly entries: readonly McpEntry[];
	readonly broken: ReadonlyArray<Pick<McpServerInfo, 'name' | 'source'> & {readonly sentence: string}>;
	/** A file that cannot be read as a whole: one sentence each. */
	readonly problems: readonly string[];
	/** What the person should know beside, one sentence each. */
	readonly remarks: readonly string[];
};

/**
Reads the files. Both have the shape `{"mcpServers": {"name": {command, args, env, cwd} | {url, headers, type}}}`. Of
one name, as their tools' names show it, the person's counts.
*/
export async function loadMcpConfig(
	{user, projects = []}: McpFiles,
	env: Env,
	owners: Owners = strictOwners,
): Promise<McpConfig> {
	const files = [
		...(user === undefined ? [] : [await readFile(user, {source: 'user', env})]),
		...(await readProjects(projects, env, owners)),
	];
	const [mine, others] = [
		files.find(({source}) => source === 'user'),
		files.findLast(({source}) => source === 'project'),
	];
	const names = new Set(mine?.read.map(read => serverPart(entryName(read))));
	const eclipsed = (others?.read ?? []).filter(read => names.has(serverPart(entryName(read))));
	const used = files.flatMap(({read, source, file}) =>
		read.filter(entry => source === 'user' || !eclipsed.includes(entry)).map(entry => ({entry, source, file})),
	);
	return {
		entries: used.flatMap(({entry}) => (entry.ok ? [entry.entry] : [])),
		broken: used.flatMap(({entry, source, file}) =>
			entry.ok ? [] : [{name: entry.name, source, sentence: `${nameOf(file)}: ${entry.problem}.`}],
		),
		problems: files.flatMap(({problem}) => problem ?? []),
		remarks: [
			...files.flatMap(({remark}) => remark ?? []),
			...eclipsed.map(
				read =>
					`The MCP server ${entryName(read)} of ${nameOf(others!.file)} is not used: yours of that name in ${nameOf(mine!.file)} is.`,
			),
		],
	};
}

type FileContent = {
	readonly source: McpServerInfo['source'];
	readonly file: string;
	readonly read: readonly ReadEntry[];
	readonly problem?: string;
	readonly remark?: string;
	/** It was passed over. */
	readonly foreign?: boolean;
};

const maxServers = 64;

/** The nearest file that may be used, and a remark for each that is passed over. */
async function readProjects(projects: readonly string[], env: Env, owners: Owners): Promise<readonly FileContent[]> {
	const read: FileContent[] = [];
	for (const file of projects) {
		const content = await readFile(file, {source: 'project', env, owners});
		read.push(content);
		if (content.foreign !== true) break;
	}
	return read;
}

type ReadOptions = {readonly source: McpServerInfo['source']; readonly env: Env; readonly owners?: Owners};

async function readFile(file: string, {source, env, owners}: ReadOptions): Promise<FileContent> {
	const failed = (problem: string): FileContent => ({source, file, read: [], problem});
	const whose = source === 'project' ? {top: dirname(file), owners} : ownFile(env);
	const text = await readSmall(file, {maxBytes: fileBounds.mcp, ...whose});
	if (!text.ok && text.reason === 'foreign') {
		return source === 'user'
			? failed(ownFileSentence(text.foreign))
			: {source, file, read: [], remark: text.sentence, foreign: true};
	}
	if (!text.ok) return failed(text.sentence);
	const json = parsed(text.text.replace(/^\ufeff/, ''));
	if (!json.ok) return failed(`${nameOf(file)}: this is not valid JSON${json.place}.`);
	const whole = fileSchema.safeParse(json.value);
	if (!whole.success)
		return failed(
			`${nameOf(file)}: ${whole.error.issues[0]!.path.length === 0 ? 'the file' : 'mcpServers'} must be an object in braces.`,
		);
	const {mcpServers, servers} = whole.data;
	if (mcpServers === undefined)
		return failed(
			`${nameOf(file)}: there is no key mcpServers${servers === undefined ? '' : ' (VS Code calls it servers; inkpod does not)'}.`,
		);
	const all = Object.entries(mcpServers);
	if (all.length > maxServers) return failed(`${nameOf(file)}: mcpServers names more than ${maxServers} servers.`);
	const remark =
		servers === undefined
			? {}
			: {remark: `${nameOf(file)}: the key servers, which VS Code reads, is left out; mcpServers counts.`};
	return {source, file, read: all.map(([name, written]) => readEntry(name, written, {source, file, env})), ...remark};
}

const fileSchema = z.looseObject({
	mcpServers: z.record(z.string(), z.unknown()).optional(),
	servers: z.unknown().optional(),
});

/** The place of a mistake is told, never the text around it, which may be a secret. */
function parsed(
	text: string,
): {readonly ok: true; readonly value: unknown} | {readonly ok: false; readonly place: string} {
	try {
		return {ok: true, value: JSON.parse(text)};
	} catch (error) {
		const place = /\(line (\d+) column (\d+)\)$/.exec((error as Error).message);
		return {ok: false, place: place === null ? '' : ` (line ${place[1]}, column ${place[2]})`};
	}
}

function entryName(read: ReadEntry): string {
	return read.ok ? read.entry.name : read.name;
}
