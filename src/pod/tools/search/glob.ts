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
		const sorted = sortByPath(files.map(file => ({file, path: shownPath(scope, file)}))).slice(0, globLimit);
		const isSure = await areFoldersUnchanged(
			scope,
			foldersAbove(
				scope,
				sorted.map(({file}) => file),
			),
			since,
		);
		return isSure
			? listing(
					sorted.map(each => each.path),
					{pattern, total: files.length, complete, maxOutputBytes},
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
	}: {readonly pattern: string; readonly total: number; readonly complete: boolean; readonly maxOutputBytes: number},
): ToolOutput {
	if (total === 0) return {summary: en`no files`, content: en`No files match ${onOneLine(pattern)}.`};
	const shown = fitting(paths.map(onOneLine), maxOutputBytes - 256);
	const files = enCount(total, 'file');
	const all = complete ? files : en`at least ${files}`;
	const cut = shown.length < total || !complete;
	return {
		summary: shown.length < total ? en`${shown.length} of ${all}` : all,
		content: [
			...shown,
			...(cut
				? [en`[...truncated, ${shown.length} of ${all} — use a narrower pattern or path for the rest]`]
				: []),
		].join('\n'),
	};
}

function relativeTo(directory: string, file: string): string {
	return file.slice(directory.endsWith('/') ? directory.length : directory.length + 1);
}
