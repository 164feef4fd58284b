import type {Item, ToolCall} from '../../../worker/index.ts';
import {narrowOrigin, type OriginOf} from '../../protocol.ts';
import {toolFactsOf} from '../../protocol/tool-definitions.ts';
import {isRecord} from '../../ground/values/is-record.ts';

/**
The last state of each instructions file in history, by its absolute path. Removed files are included, with a mark.
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
