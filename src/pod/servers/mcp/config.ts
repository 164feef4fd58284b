import {endSentence} from '../../../language/index.ts';
import {dirname} from 'node:path';
import {z} from 'zod';
import type {Env} from '../../ground/env/env.ts';
import {fileBounds} from '../../config/limits.ts';
import type {McpServerInfo} from '../../protocol/queries.ts';
import {strictOwners} from '../../scope/owners.ts';
import type {Owners} from '../../scope/scope.ts';
import {nameOf, ownFile, ownFileSentence, readSmall} from '../../scope/small-file.ts';
import {readEntry, type McpEntry, type ReadEntry} from './entry.ts';
import type {McpFiles} from './config-files.ts';
import {fileProblems, shadowedServer} from './texts.ts';
import {serverPart} from './tool-filter.ts';
import {messageOf} from '../../ground/values/is-record.ts';

/**
The servers that the user's and the project's files define. `broken` contains the unusable entries, each with a
sentence.
*/
export type McpConfig = {
	readonly entries: readonly McpEntry[];
	readonly broken: ReadonlyArray<Pick<McpServerInfo, 'name' | 'source'> & {readonly sentence: string}>;
	/** The sentences about files that cannot be used at all. */
	readonly problems: readonly string[];
	/** Other sentences for the user about the files. */
	readonly remarks: readonly string[];
};

/**
Reads the configuration files of MCP servers. Both contain `{"mcpServers": {"name": {command, args, env, cwd} | {url,
headers, type}}}`. If the tools of two servers would have the same names, the user's server is used.
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
	const shadowed = shadowedEntries(mine, others);
	const ignored = new Set(shadowed.map(({entry}) => entry));
	const used = files.flatMap(({read, source, file}) =>
		read.filter(entry => !ignored.has(entry)).map(entry => ({entry, source, file})),
	);
	return {
		entries: used.flatMap(({entry}) => (entry.ok ? [entry.entry] : [])),
		broken: used.flatMap(({entry, source, file}) =>
			entry.ok ? [] : [{name: entry.name, source, sentence: endSentence(`${nameOf(file)}: ${entry.problem}`)}],
		),
		problems: files.flatMap(({problem}) => problem ?? []),
		remarks: [...files.flatMap(({remark}) => remark ?? []), ...shadowed.map(({remark}) => remark)],
	};
}

/**
Returns the project's entries whose tools would have the same names as the tools of the user's servers, each with a
remark.
*/
function shadowedEntries(
	mine: FileContent | undefined,
	others: FileContent | undefined,
): ReadonlyArray<{readonly entry: ReadEntry; readonly remark: string}> {
	if (mine === undefined || others === undefined) return [];
	const names = new Set(mine.read.map(read => serverPart(entryName(read))));
	const [file, by] = [nameOf(others.file), nameOf(mine.file)];
	return others.read
		.filter(read => names.has(serverPart(entryName(read))))
		.map(entry => ({entry, remark: shadowedServer(entryName(entry), {file, by})}));
}

type FileContent = {
	readonly source: McpServerInfo['source'];
	readonly file: string;
	readonly read: readonly ReadEntry[];
	readonly problem?: string;
	readonly remark?: string;
	/** Whether inkpod ignores the file because another user could have written it. */
	readonly foreign?: boolean;
};

const maxServers = 64;

/** Returns the contents of the nearest usable file, and a remark for each file that was skipped. */
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
	if (!json.ok) return failed(`${nameOf(file)}: ${fileProblems.notJson(json.place)}`);
	const whole = fileSchema.safeParse(json.value);
	if (!whole.success)
		return failed(
			`${nameOf(file)}: ${fileProblems.notAnObject(whole.error.issues[0]?.path.length ? 'mcpServers' : undefined)}`,
		);
	const {mcpServers, servers} = whole.data;
	if (mcpServers === undefined)
		return failed(`${nameOf(file)}: ${fileProblems.noServers({hasServersKey: servers !== undefined})}`);
	const all = Object.entries(mcpServers);
	if (all.length > maxServers) return failed(`${nameOf(file)}: ${fileProblems.tooManyServers(maxServers)}`);
	const remark = servers === undefined ? {} : {remark: `${nameOf(file)}: ${fileProblems.servesVsCode}`};
	return {source, file, read: all.map(([name, written]) => readEntry(name, written, {source, file, env})), ...remark};
}

const fileSchema = z.looseObject({
	mcpServers: z.record(z.string(), z.unknown()).optional(),
	servers: z.unknown().optional(),
});

/** Parses JSON. An error contains only a position, because the text at that position may be a secret. */
function parsed(
	text: string,
): {readonly ok: true; readonly value: unknown} | {readonly ok: false; readonly place: string} {
	try {
		return {ok: true, value: JSON.parse(text)};
	} catch (error) {
		const place = /\(line (\d+) column (\d+)\)$/.exec(messageOf(error));
		return {ok: false, place: place === null ? '' : ` (line ${place[1]}, column ${place[2]})`};
	}
}

function entryName(read: ReadEntry): string {
	return read.ok ? read.entry.name : read.name;
}
