import {dirname, join, relative, sep} from 'node:path';
import {instructionLimits} from '../limits.ts';
import {readAdmitted, type ReadFailure, type ReadText, type RefusesReading} from '../scope/read.ts';
import {contains, readable, type Scope} from '../scope/scope.ts';
import {gitRoot, ignoreRules} from '../tools/ignore-rules.ts';

/** What a folder has to say: the text of its file, nothing, or why it cannot be read. `file`: an absolute path, links not followed. */
export type Found =
	| {readonly type: 'text'; readonly file: string; readonly read: ReadText}
	| {readonly type: 'none'; readonly folder: string}
	| {readonly type: 'refused'; readonly file: string; readonly reason: RefusedFor; readonly why?: string};

/** `rule`: a rule of the user or the project keeps it from being read; `why` is the end of a sentence about it. */
export type RefusedFor = Exclude<ReadFailure, 'not_found' | 'aborted' | 'bad_range'> | 'rule';

/** The names that are looked for, the first that a folder has. */
export const fileNames = ['AGENTS.md', 'CLAUDE.md'] as const;

/** The folders from the git root down to `pwd`, outermost first. Without a git root only `pwd`. */
export function foldersTo(pwd: string): readonly string[] {
	return between(gitRoot(pwd) ?? pwd, pwd);
}

/**
The folders below `pwd` down to a real folder, outermost first. They end before one that holds what others wrote: one that git ignores,
`node_modules`, `.git`. Empty for a folder that does not lie below `pwd`.
*/
export function foldersBelow(pwd: string, folder: string): readonly string[] {
	if (!contains(pwd, folder)) return [];
	const [, ...below] = between(pwd, folder);
	const end = below.findIndex(each => isForeign(each, pwd));
	return end === -1 ? below : below.slice(0, end);
}

export type ReadFolderOptions = {readonly refusesReading: RefusesReading; readonly signal: AbortSignal};

/**
Reads the file of a folder through the one reader. The program may read it although it lies above the scope, but no other file there:
a link must lead to a file of one of these names in a folder of the way, or into the scope.
*/
export async function readFolder(scope: Scope, folder: string, {refusesReading, signal}: ReadFolderOptions): Promise<Found> {
	const way = foldersTo(scope.pwd);
	const wide: Scope = {pwd: way[0]!, writable: false, readRoots: scope.readRoots};
	for (const name of fileNames) {
		const file = join(folder, name);
		const {maxBytes, maxScanBytes} = instructionLimits;
		const read = await readAdmitted<Extract<Found, {type: 'refused'}>>(wide, file, {maxBytes, maxScanBytes, signal}, async real => {
			if (!readable(scope, real) && !isOnWay(real, way)) return {type: 'refused', file, reason: 'out_of_scope'};
			const why = await refusesReading(file, real);
			return why === undefined ? undefined : {type: 'refused', file, reason: 'rule', why};
		});
		if (read.ok) return {type: 'text', file, read};
		if (read.reason === 'not_admitted') return read.why;
		if (read.reason === 'not_found' || read.reason === 'aborted' || read.reason === 'bad_range') continue;
		return {type: 'refused', file, reason: read.reason};
	}
	return {type: 'none', folder};
}

/** From one real folder down to another that it contains, both included. */
function between(top: string, bottom: string): readonly string[] {
	const parts = relative(top, bottom).split(sep).filter(part => part !== '');
	return [top, ...parts.map((_, index) => join(top, ...parts.slice(0, index + 1)))];
}

const foreign: ReadonlySet<string> = new Set(['node_modules', '.git']);

function isForeign(folder: string, pwd: string): boolean {
	if (foreign.has(folder.slice(folder.lastIndexOf(sep) + 1))) return true;
	try {
		return ignoreRules(folder, pwd).startIgnored;
	} catch {
		// It may not be entered: there is nothing that could be read.
		return true;
	}
}

function isOnWay(real: string, way: readonly string[]): boolean {
	return way.includes(dirname(real)) && fileNames.some(name => real.endsWith(`${sep}${name}`));
}
