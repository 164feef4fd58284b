import {dirname, join, relative, sep} from 'node:path';
import {instructionLimits} from '../../config/limits.ts';
import {foreignOpened, strictOwners, type Foreign} from '../../scope/owners.ts';
import {readTextChecked, type Opened, type ReadFailure, type ReadText, type RefusesReading} from '../../scope/read.ts';
import {contains} from '../../ground/files/contains.ts';
import {readable, type Owners, type Scope} from '../../scope/scope.ts';
import {gitRoot} from '../../scope/git-root.ts';
import {ignoreRules} from '../../tools/search/ignore-rules.ts';
import type {Item, ToolCall} from '../../../worker/index.ts';
import {narrowOrigin, type OriginOf} from '../../protocol.ts';
import {toolFactsOf} from '../../protocol/tool-definitions.ts';
import {isRecord} from '../../ground/values/is-record.ts';

/**
The instructions of a folder: the text of its file, nothing, or the reason why it cannot be read.
`file` is an absolute path without resolved links.
*/
export type FolderInstructions = {
	/** The files that are skipped because another user could have written them. */ readonly foreign?: readonly Foreign[];
} & (
	| {readonly type: 'text'; readonly file: string; readonly read: ReadText}
	| {readonly type: 'none'; readonly folder: string}
	| Refused
);

type Refused = {readonly type: 'refused'; readonly file: string; readonly reason: RefusedReason; readonly why?: string};

/**
`rule` means that a rule of the user or the project forbids reading the file. `why` is the end of a sentence about the
file.
*/
export type RefusedReason = Exclude<ReadFailure, 'not_found' | 'aborted' | 'bad_range'> | 'rule';

/** The file names in order of preference. Only the first file that exists in a folder counts. */
export const fileNames = ['AGENTS.md', 'CLAUDE.md'] as const;

/**
Returns the folders from the git root down to `pwd`, outermost first. If there is no git root, returns only `pwd`.
*/
export function foldersFromRoot({pwd, owners}: Pick<Scope, 'pwd' | 'owners'>): readonly string[] {
	return pathsBetween(gitRoot(pwd, owners) ?? pwd, pwd);
}

/**
Returns the folders below `pwd` down to a real folder, outermost first. Stops before a folder with third-party files: a
folder ignored by git, `node_modules`, `.git`. The result is empty for a folder that is not below `pwd`.
*/
export function foldersBelow({pwd, owners}: Pick<Scope, 'pwd' | 'owners'>, folder: string): readonly string[] {
	if (!contains(pwd, folder)) return [];
	const [, ...below] = pathsBetween(pwd, folder);
	const end = below.findIndex(each => isThirdParty(each, pwd, owners));
	return end === -1 ? below : below.slice(0, end);
}

type ReadFolderOptions = {readonly refusesReading: RefusesReading; readonly signal: AbortSignal};

/**
Reads the instructions of a folder. If another user could have written a file, it tries the next name. The file may be
above the scope. A link must lead into the scope, or to a file with one of the names in `fileNames` between the git root
and `pwd`. Checks the opened file before it reads the first byte.
*/
export async function readFolder(
	scope: Scope,
	folder: string,
	{refusesReading, signal}: ReadFolderOptions,
): Promise<FolderInstructions> {
	const [root = scope.pwd] = foldersFromRoot(scope);
	const wide: Scope = {pwd: root, writable: false, readRoots: scope.readRoots, home: scope.home};
	const foreign: Foreign[] = [];
	const found = (one: FolderInstructions): FolderInstructions => (foreign.length === 0 ? one : {...one, foreign});
	for (const name of fileNames) {
		const file = join(folder, name);
		const {maxBytes, maxScanBytes} = instructionLimits;
		const admits = async (opened: Opened) => refusalOf(scope, {folder, file}, opened, refusesReading);
		const read = await readTextChecked(wide, file, {maxBytes, maxScanBytes, signal}, admits);
		if (read.ok) return found({type: 'text', file, read});
		if (read.reason === 'not_admitted') {
			if ('type' in read.why) return found(read.why);
			foreign.push(read.why);
			continue;
		}
		if (read.reason === 'not_found' || read.reason === 'aborted' || read.reason === 'bad_range') continue;
		return found({type: 'refused', file, reason: read.reason});
	}
	return found({type: 'none', folder});
}

/**
The last state of each instructions file in history, by its absolute path. Removed files are included, and marked as
`gone`.
*/
export type LastRead = ReadonlyMap<string, OriginOf<'instructions'>>;

export function lastReadIn(items: readonly Item[]): LastRead {
	const latest = new Map<string, OriginOf<'instructions'>>();
	for (const item of items) {
		const origin =
			item.type === 'message' && item.origin?.kind === 'instructions' ? narrowOrigin(item.origin) : undefined;
		if (origin?.kind === 'instructions' && origin.file !== undefined) latest.set(origin.file, origin);
	}
	return latest;
}

/**
Returns the paths that these items use, as written: attached files, and files that a tool read or changed. `calls`
stores the paths of calls whose results come in later items.
*/
export function touchedBy(items: readonly Item[], calls: Map<string, string>): readonly Touched[] {
	return items.flatMap((item): readonly Touched[] => {
		if (item.type === 'tool_call') {
			const path = fileOf(item);
			if (path !== undefined) calls.set(item.callId, path);
		}
		if (item.type === 'tool_result' && item.partialOf === undefined) {
			const path = item.isError ? undefined : calls.get(item.callId);
			calls.delete(item.callId);
			return path === undefined ? [] : [{path, by: 'tool', isFolder: false}];
		}
		const origin = item.type === 'message' ? narrowOrigin(item.origin) : undefined;
		if (origin?.kind === 'dir') return [{path: origin.path, by: 'user', isFolder: true}];
		return origin?.kind === 'file' || origin?.kind === 'auto_read'
			? [{path: origin.path, by: origin.kind === 'file' ? 'user' : 'tool', isFolder: false}]
			: [];
	});
}

/** A path that an item uses. For the user `~/` is the home folder, while for a tool it is a folder with that name. */
export type Touched = {readonly path: string; readonly by: 'user' | 'tool'; readonly isFolder: boolean};

/**
Returns the reason not to read an opened file. The owner is checked first, because a file of another user counts as
missing.
*/
async function refusalOf(
	scope: Scope,
	{folder, file}: {readonly folder: string; readonly file: string},
	{fd, real}: Opened,
	refusesReading: RefusesReading,
): Promise<Foreign | Refused | undefined> {
	const foreign = foreignOpened(fd, {top: folder, named: file}, scope.owners ?? strictOwners);
	if (foreign !== undefined) return foreign;
	if (!readable(scope, real) && !isInstructionFileOf(real, foldersFromRoot(scope)))
		return {type: 'refused', file, reason: 'out_of_scope'};
	const why = await refusesReading(file, real);
	return why === undefined ? undefined : {type: 'refused', file, reason: 'rule', why};
}

/** Returns the folders from one real folder down to a folder inside it, including both. */
function pathsBetween(top: string, bottom: string): readonly string[] {
	const parts = relative(top, bottom)
		.split(sep)
		.filter(part => part !== '');
	return [top, ...parts.map((_, index) => join(top, ...parts.slice(0, index + 1)))];
}

const thirdPartyNames: ReadonlySet<string> = new Set(['node_modules', '.git']);

function isThirdParty(folder: string, pwd: string, owners: Owners | undefined): boolean {
	if (thirdPartyNames.has(folder.slice(folder.lastIndexOf(sep) + 1))) return true;
	try {
		return ignoreRules(folder, pwd, owners).startIgnored;
	} catch {
		// If this folder cannot be entered, nothing in it can be read.
		return true;
	}
}

function isInstructionFileOf(real: string, way: readonly string[]): boolean {
	return way.includes(dirname(real)) && fileNames.some(name => real.endsWith(`${sep}${name}`));
}

/** Returns the file in a call's arguments, as the model wrote it. */
function fileOf({name, arguments: args}: ToolCall): string | undefined {
	const subject = toolFactsOf(name)?.subject;
	if (subject?.kind !== 'file') return undefined;
	try {
		const parsed: unknown = JSON.parse(args);
		const path = isRecord(parsed) ? parsed[subject.argument] : undefined;
		return typeof path === 'string' ? path : undefined;
	} catch {
		return undefined;
	}
}
