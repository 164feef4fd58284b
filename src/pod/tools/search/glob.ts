import {en, enCount} from '../../../language/index.ts';
import {z} from 'zod';
import {defineTool, type Tool, type ToolMoved, type ToolOutput} from '../../../worker/index.ts';
import {resolveTarget} from '../../scope/locate.ts';
import type {Scope} from '../../scope/scope.ts';
import {compileGlob} from '../../ground/globs/glob-pattern.ts';
import {failureOutput} from '../files/failures.ts';
import {errorOutput, fitting} from '../../ground/values/is-record.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {searchRootOf, shownPath, sortByPath} from './search-root.ts';
import {globFacts} from '../../protocol/tool-definitions.ts';
import {areFoldersUnchanged, foldersAbove, searchUntilStable, movedSentence} from './search-root.ts';
import {walkFiles} from './walk.ts';

/** The maximum number of paths in one result. */
export const globLimit = 300;

/** Creates the tool that lists and counts the files that match a glob, in the order of their paths. */
export function globTool({scope, maxOutputBytes}: {readonly scope: Scope; readonly maxOutputBytes: number}): Tool {
	return defineTool({
		...globFacts,
		input: z.object({
			pattern: z.string().min(1).describe(globFacts.arguments.pattern),
			path: z.string().min(1).optional(),
		}),
		target: async ({path = '.'}) => resolveTarget(scope, path),
		execute: async ({pattern, path = '.'}, {target, signal}) =>
			listFiles({pattern, path, target, signal, scope, maxOutputBytes}),
	});
}

type Listing = {
	readonly pattern: string;
	readonly path: string;
	readonly target: string | undefined;
	readonly signal: AbortSignal;
	readonly scope: Scope;
	readonly maxOutputBytes: number;
};

async function listFiles({
	pattern,
	path,
	target,
	signal,
	scope,
	maxOutputBytes,
}: Listing): Promise<ToolOutput | ToolMoved> {
	const found = await searchUntilStable(async since => {
		const place = await searchRootOf(scope, path, target);
		if (place === 'elsewhere') return place;
		if (!place.ok) return failureOutput(place.reason, onOneLine(path));
		if (place.kind === 'file') return failureOutput('not_a_directory', onOneLine(path));
		const glob = compileGlob(pattern.startsWith(`${place.real}/`) ? pattern.slice(place.real.length) : pattern);
		if (!glob.ok) return errorOutput(glob.message);
		const {files, complete} = await walkFiles(place.real, {
			scope,
			accepts: file => glob.matches(relativeTo(place.real, file)),
			signal,
		});
		const all = files.map(file => ({file, path: shownPath(scope, file)}));
		const folders = countFolders(all);
		const sorted = sortByPath(all).slice(0, globLimit);
		const named = [...sorted, ...folders].map(({file}) => file);
		const isSure = await areFoldersUnchanged(scope, foldersAbove(scope, named), since);
		return isSure
			? listing(
					sorted.map(each => each.path),
					{pattern, total: files.length, complete, maxOutputBytes, folders},
				)
			: 'moved';
	}, signal);
	if (found === 'elsewhere') return 'moved';
	return found === 'moved' ? errorOutput(`${onOneLine(path)}: ${movedSentence}`) : found;
}

function listing(
	paths: readonly string[],
	{
		pattern,
		total,
		complete,
		maxOutputBytes,
		folders,
	}: {
		readonly pattern: string;
		readonly total: number;
		readonly complete: boolean;
		readonly maxOutputBytes: number;
		readonly folders: readonly CountedFolder[];
	},
): ToolOutput {
	if (total === 0) return {summary: en`no files`, content: en`No files match ${onOneLine(pattern)}.`};
	const isWhole = complete && total === paths.length;
	const counts = isWhole ? [] : fitting(folders.map(folderLine), Math.floor(maxOutputBytes / 8));
	const room = maxOutputBytes - 256 - Buffer.byteLength(counts.join('\n'));
	const shown = fitting(paths.map(onOneLine), room);
	const files = enCount(total, 'file');
	const all = complete ? files : en`at least ${files}`;
	const cut = shown.length < total || !complete;
	return {
		summary: shown.length < total ? en`${shown.length} of ${all}` : all,
		content: [
			...shown,
			...(cut
				? [
						en`[...truncated, ${shown.length} of ${all} — use a narrower pattern or path for the rest]`,
						...counts,
					]
				: []),
		].join('\n'),
	};
}

/** A folder with its final slash, the number of matches in it, and one of these matches. */
type CountedFolder = {readonly folder: string; readonly count: number; readonly file: string};

/**
Counts the matches in each folder below the deepest folder that contains all matches. If there are many folders, only
those with the most matches are counted.
*/
function countFolders(files: readonly FoundFile[]): readonly CountedFolder[] {
	const base = commonFolder(files.map(({path}) => path));
	const counts = new Map<string, CountedFolder>();
	for (const {file, path} of files) {
		const slash = path.indexOf('/', base.length);
		if (slash === -1) continue;
		const folder = path.slice(0, slash + 1);
		counts.set(folder, {folder, count: (counts.get(folder)?.count ?? 0) + 1, file});
	}
	const most = Array.from(counts.values()).toSorted((one, other) => other.count - one.count);
	return most.slice(0, maxFolders).toSorted((one, other) => (one.folder < other.folder ? -1 : 1));
}

type FoundFile = {readonly file: string; readonly path: string};

/** Returns the folder with its final slash, or an empty text. */
function commonFolder([first = '', ...files]: readonly string[]): string {
	let base = parentOf(first);
	for (const file of files) while (!file.startsWith(base)) base = parentOf(base.slice(0, -1));
	return base;
}

function parentOf(path: string): string {
	return path.slice(0, path.lastIndexOf('/') + 1);
}

function folderLine({folder, count}: CountedFolder): string {
	return en`[${onOneLine(folder)}: ${enCount(count, 'file')}]`;
}

const maxFolders = 40;

function relativeTo(directory: string, file: string): string {
	return file.slice(directory.endsWith('/') ? directory.length : directory.length + 1);
}
