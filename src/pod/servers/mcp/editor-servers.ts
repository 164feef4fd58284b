import {endSentence} from '../../../language/index.ts';
import {type Env, configDirectory} from '../../ground/env/env.ts';
import type {McpConfig} from './config.ts';
import {readEntry} from './entry.ts';
import {lstat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileBounds} from '../../config/limits.ts';
import {ownersOf} from '../../scope/owners.ts';
import {nameOf, ownFile, ownFileSentence, readSmall} from '../../scope/small-file.ts';
import {failureOf, failureSentence} from '../../disk/files.ts';
import {replaceOwnFile} from '../../permissions/trust/private-file.ts';
import {isRecord} from '../../ground/values/is-record.ts';
import {findMcpFiles} from './config-files.ts';
import {editTexts, fileProblems} from './texts.ts';

/** The servers that an editor passes with a session, by name. Each entry has the form of an entry of `mcpServers`. */
export type EditorServers = ReadonlyArray<readonly [name: string, entry: unknown]>;

/** Reads the servers of an editor. The function does not replace variables. */
export function readEditorServers(servers: EditorServers, env: Env): McpConfig {
	const read = servers.map(([name, entry]) => readEntry(name, entry, {source: 'editor', file: '', env}));
	return {
		entries: read.flatMap(each => (each.ok ? [each.entry] : [])),
		broken: read.flatMap(each =>
			each.ok ? [] : [{name: each.name, source: 'editor' as const, sentence: endSentence(each.problem)}],
		),
		problems: [],
		remarks: [],
	};
}

/** Adds a server to a file. Creates the file if necessary. All other values in the file stay as they are. */
export async function addServer(
	name: string,
	entry: Readonly<Record<string, unknown>>,
	place: ServerPlace,
): Promise<Edited> {
	return editFile(place, true, (servers, file) => {
		// Checks the entry without replacing variables, because a variable that is unset now may be set when the server
		// starts.
		const read = readEntry(name, entry, {source: 'project', file, env: place.env});
		if (!read.ok) return {sentence: endSentence(`${nameOf(file)}: ${read.problem}`)};
		if (Object.hasOwn(servers, name)) return {sentence: editTexts.taken(name, nameOf(file))};
		return {servers: {...servers, [name]: entry}};
	});
}

/** Removes a server from a file. */
export async function removeServer(name: string, place: ServerPlace): Promise<Edited> {
	return editFile(place, false, (servers, file) => {
		if (!Object.hasOwn(servers, name)) return {sentence: editTexts.absent(name, nameOf(file))};
		return {servers: Object.fromEntries(Object.entries(servers).filter(([key]) => key !== name))};
	});
}

/** The file that defines a server: the user's `mcp.json`, or the project's nearest `.mcp.json`. */
type ServerPlace = {readonly pwd: string; readonly env: Env; readonly isProject: boolean};

/** The path of the changed file, or a sentence that explains why it was not changed. */
type Edited = {readonly ok: true; readonly file: string} | {readonly ok: false; readonly sentence: string};

type Servers = Readonly<Record<string, unknown>>;

type Change = (
	servers: Servers,
	file: string,
) => {readonly servers: Servers} | {readonly sentence: string; readonly servers?: undefined};

async function editFile(place: ServerPlace, mayCreate: boolean, change: Change): Promise<Edited> {
	const {pwd, env, isProject} = place;
	const {projects = []} = await findMcpFiles({pwd, env, owners: ownersOf(env)});
	const file = isProject ? (projects[0] ?? join(pwd, '.mcp.json')) : join(configDirectory(env), 'mcp.json');
	const read = await readServers(file, place, mayCreate);
	if (!read.ok) return read;
	const changed = change(read.servers, file);
	if (changed.servers === undefined) return {ok: false, sentence: changed.sentence};
	const again = await readServers(file, place, mayCreate);
	if (!again.ok || again.text !== read.text) return {ok: false, sentence: editTexts.changed(nameOf(file))};
	const text = JSON.stringify({...read.whole, mcpServers: changed.servers}, null, indentOf(read.text));
	try {
		await replaceOwnFile(file, `${text}\n`);
		return {ok: true, file};
	} catch (error) {
		return {ok: false, sentence: editTexts.notWritten(failureSentence(failureOf(error), file, error))};
	}
}

type ReadServers =
	| {readonly ok: true; readonly text: string; readonly whole: Servers; readonly servers: Servers}
	| {readonly ok: false; readonly sentence: string};

async function readServers(file: string, {env, isProject}: ServerPlace, mayCreate: boolean): Promise<ReadServers> {
	const failed = (sentence: string) => ({ok: false, sentence}) as const;
	// A symbolic link in a project could lead to any file of the user.
	if (isProject && (await isLink(file))) return failed(editTexts.isLink(nameOf(file)));
	const whose = isProject ? {top: dirname(file), owners: ownersOf(env)} : ownFile(env);
	const read = await readSmall(file, {maxBytes: fileBounds.mcp, ...whose});
	if (!read.ok && read.reason === 'missing')
		return mayCreate ? {ok: true, text: '', whole: {}, servers: {}} : failed(editTexts.noFile(nameOf(file)));
	if (!read.ok)
		return failed(read.reason === 'foreign' && !isProject ? ownFileSentence(read.foreign) : read.sentence);
	const whole = parsed(read.text.replace(/^\ufeff/, ''));
	if (whole === undefined) return failed(`${nameOf(file)}: ${fileProblems.notJson('')}`);
	const {mcpServers = {}} = isRecord(whole) ? whole : {};
	if (!isRecord(whole) || !isRecord(mcpServers))
		return failed(`${nameOf(file)}: ${fileProblems.notAnObject(isRecord(whole) ? 'mcpServers' : undefined)}`);
	return {ok: true, text: read.text, whole, servers: mcpServers};
}

async function isLink(file: string): Promise<boolean> {
	return lstat(file).then(
		stats => stats.isSymbolicLink(),
		() => false,
	);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Returns the indentation of the first indented line. */
function indentOf(text: string): string {
	return /^([ \t]+)\S/m.exec(text)?.[1]?.slice(0, 8) ?? '  ';
}
