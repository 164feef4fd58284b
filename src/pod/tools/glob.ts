import {z} from 'zod';
import {defineTool, type Tool, type ToolOutput} from '../../worker/index.ts';
import type {Scope} from '../scope/scope.ts';
import {compileGlob} from './glob-pattern.ts';
import {errorOutput, failureOutput, fitting, onOneLine, plural} from './output.ts';
import {byPath, placeOf, shownPath} from './place.ts';
import {argumentTexts, descriptions} from './texts.ts';
import {walkFiles} from './walk.ts';

/** Paths in one answer. */
export const globLimit = 300;

/** Lists the files that match a glob, in the order of their paths, and says how many there are. */
export function globTool({scope, maxOutputBytes}: {readonly scope: Scope; readonly maxOutputBytes: number}): Tool {
	return defineTool({
		name: 'glob',
		description: descriptions.glob,
		effect: 'read',
		input: z.object({pattern: z.string().min(1).describe(argumentTexts.globPattern), path: z.string().min(1).optional().describe(argumentTexts.searchPath)}),
		execute: async ({pattern, path = '.'}, {signal}) => listFiles({pattern, path, signal, scope, maxOutputBytes}),
	});
}

async function listFiles({pattern, path, signal, scope, maxOutputBytes}: {readonly pattern: string; readonly path: string; readonly signal: AbortSignal; readonly scope: Scope; readonly maxOutputBytes: number}): Promise<ToolOutput> {
	const place = await placeOf(scope, path);
	if (!place.ok) return failureOutput(place.reason, onOneLine(path));
	if (place.kind === 'file') return failureOutput('not_a_directory', onOneLine(path));
	const glob = compileGlob(pattern.startsWith(`${place.real}/`) ? pattern.slice(place.real.length) : pattern);
	if (!glob.ok) return errorOutput(glob.message);
	const {files, complete} = await walkFiles(place.real, {pwd: scope.pwd, accepts: file => glob.matches(relativeTo(place.real, file)), signal});
	if (files.length === 0) return {summary: 'no files', content: `No files match ${onOneLine(pattern)}.`};
	const sorted = files.map(file => shownPath(scope, file)).toSorted(byPath);
	const shown = fitting(sorted.slice(0, globLimit).map(onOneLine), maxOutputBytes - 256);
	const total = `${complete ? '' : 'at least '}${plural(files.length, 'file')}`;
	const cut = shown.length < files.length || !complete;
	return {
		summary: shown.length < files.length ? `${shown.length} of ${total}` : total,
		content: [...shown, ...(cut ? [`[...truncated, ${shown.length} of ${total} — use a narrower pattern or path for the rest]`] : [])].join('\n'),
	};
}

function relativeTo(directory: string, file: string): string {
	return file.slice(directory.endsWith('/') ? directory.length : directory.length + 1);
}
