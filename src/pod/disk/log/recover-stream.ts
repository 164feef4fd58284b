import {
	interruptedOutput,
	interruptedPart,
	type Clock,
	type Item,
	type Log,
	type ToolCall,
} from '../../../worker/index.ts';
import {interruption, unansweredCalls} from '../../ground/history/reader.ts';
import {
	commandOutput,
	interruptedCommand,
	isCommand,
	openCommand,
	type CommandItem,
} from '../../ground/history/shell-item.ts';
import {readStream} from './read-stream.ts';
import {removeStreamFile, streamPath} from './stream-file.ts';

/**
Commits what a killed process had shown and not saved, in one append, and removes the log. If it is stopped before it
removes the log, the next call finds the items in history and commits nothing. Rejects like `log.write`.
*/
export async function recoverStream(
	dir: string,
	items: readonly Item[],
	log: Log,
	clock: Clock,
): Promise<readonly Item[]> {
	const found = interruptedItems(await readStream(streamPath(dir)), items, clock);
	if (found.length > 0) await log.write(found);
	await removeStreamFile(streamPath(dir));
	return found;
}

/**
Returns the interrupted items, as a stopped run would commit them. `open` are the streamed items, with their text.
Items that history has are left out, and so is everything that nothing in history has started.
*/
export function interruptedItems(open: readonly Item[], items: readonly Item[], clock: Clock): readonly Item[] {
	const ids = new Set(open.map(({id}) => id));
	const known = new Set(items.flatMap(({id}) => (ids.has(id) ? [id] : [])));
	const fresh = open.filter(({id}) => !known.has(id));
	return [...partsOf(fresh, items), ...outputsOf(fresh, items), ...commandOf(fresh, items, clock)];
}

/** Returns the parts of the answer. Only a run without an end has any. */
function partsOf(open: readonly Item[], items: readonly Item[]): readonly Item[] {
	const parts = open.flatMap(item => interruptedPart(item, 'aborted') ?? []);
	return parts.length > 0 && interruption(items) === 'died' ? parts : [];
}

/** Returns the outputs of calls. As with results, the nth output of a call id belongs to its nth unanswered call. */
function outputsOf(open: readonly Item[], items: readonly Item[]): readonly Item[] {
	const results = open.filter(item => item.type === 'tool_result');
	const waiting: ToolCall[] = results.length === 0 ? [] : [...unansweredCalls(items)];
	return results.flatMap(result => {
		const index = waiting.findIndex(({callId}) => callId === result.callId);
		return waiting.splice(index, index === -1 ? 0 : 1).map(call => interruptedOutput(result, call));
	});
}

/** Returns the missing end of an interrupted command, even if none of its output was saved. */
function commandOf(open: readonly Item[], items: readonly Item[], clock: Clock): readonly Item[] {
	const start = openCommand(items);
	if (start === undefined) return [];
	const isOutput = (item: Item): item is CommandItem =>
		item.type === 'message' && isCommand(item) && item.origin.start === start.id;
	const empty = commandOutput(start, clock);
	const output = open.find(isOutput);
	// Only the output of the log counts. Its command is the one in history.
	const hasHeader = output?.text.startsWith(empty.text) === true;
	return [interruptedCommand(output === undefined || !hasHeader ? empty : {...empty, ...idOf(output)})];
}

function idOf({id, at, text}: CommandItem): Pick<CommandItem, 'id' | 'at' | 'text'> {
	return {id, at, text};
}
