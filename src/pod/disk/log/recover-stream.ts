import {
	interruptedOutput,
	interruptedPart,
	type Clock,
	type Item,
	type Log,
	type ToolCall,
	parseItem,
} from '../../../worker/index.ts';
import {interruption, unansweredCalls} from '../../ground/history/reader.ts';
import {
	commandOutput,
	interruptedCommand,
	isCommand,
	openCommand,
	type CommandItem,
} from '../../ground/history/shell-item.ts';
import {removeStreamFile, streamPath, maxStreamBytes} from './stream-file.ts';
import {constants} from 'node:fs';
import {z} from 'zod';
import {errorCode} from '../../ground/files/fs-error.ts';
import {grown, streamedText} from '../../protocol/tail.ts';
import {readAt, realFiles, type Files} from '../files.ts';

/**
Commits the items that a killed process had shown but not saved, in one append, and then removes the log of streamed
text. If the process stops before the log is removed, the next call finds the items in the history and commits nothing.
Rejects like `log.write`.
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
Returns the interrupted items, as a stopped run would commit them. `open` are the streamed items with their text. Items
that are already in the history are left out, and so are items whose turn, call or command is not in the history.
*/
export function interruptedItems(open: readonly Item[], items: readonly Item[], clock: Clock): readonly Item[] {
	const ids = new Set(open.map(({id}) => id));
	const known = new Set(items.flatMap(({id}) => (ids.has(id) ? [id] : [])));
	const fresh = open.filter(({id}) => !known.has(id));
	return [...partsOf(fresh, items), ...outputsOf(fresh, items), ...commandOf(fresh, items, clock)];
}

/**
Reads the log of streamed text. Returns the open items with their text, in the order of their first pieces. The result
is empty if the file cannot be read. Whatever the file is, this function does not block, and the number of bytes that it
reads is limited.
*/
export async function readStream(path: string, files: Files = realFiles): Promise<readonly Item[]> {
	return decodeStream((await readSmall(path, maxStreamBytes, files)) ?? '');
}

/**
Returns the first `maxBytes` bytes of a file as text, or `undefined` if it cannot be read. It follows no link, and does
not block.
*/
export async function readSmall(path: string, maxBytes: number, files: Files): Promise<string | undefined> {
	return (await readSmallBytes(path, maxBytes, files))?.toString('utf8');
}

/** Returns the bytes of a file, as `readSmall` does. */
export async function readSmallBytes(path: string, maxBytes: number, files: Files): Promise<Buffer | undefined> {
	try {
		const file = await files.open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		try {
			const stat = await file.stat();
			if (!stat.isFile()) return undefined;
			return await readAt(file, 0, Math.min(stat.size, maxBytes));
		} finally {
			await file.close();
		}
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return undefined;
	}
}

/**
Decodes the log. It drops an incomplete last line, lines that are not pieces, and the pieces of an item after a missing
piece.
*/
export function decodeStream(text: string): readonly Item[] {
	const open = new Map<string, Item>();
	const lines = text.split('\n').slice(0, -1);
	for (const line of lines) {
		const piece = pieceSchema.safeParse(parseJson(line)).data;
		if (piece === undefined) continue;
		const item = open.get(piece.id) ?? (open.size < maxOpen ? beginOf(piece) : undefined);
		if (item !== undefined && streamedText(item)?.length === piece.offset)
			open.set(piece.id, grown(item, piece.text));
	}
	return [...open.values()];
}

/** Returns the interrupted parts of the answer. The result is empty if the last run has an end. */
function partsOf(open: readonly Item[], items: readonly Item[]): readonly Item[] {
	const parts = open.flatMap(item => interruptedPart(item, 'aborted') ?? []);
	return parts.length > 0 && interruption(items) === 'died' ? parts : [];
}

/**
Returns the interrupted outputs of calls. As with results, the nth output of a call id belongs to the nth unanswered
call with this id.
*/
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
	// Only the output is taken from the log. The command is taken from the history.
	const hasHeader = output?.text.startsWith(empty.text) === true;
	return [interruptedCommand(output === undefined || !hasHeader ? empty : {...empty, ...idOf(output)})];
}

function idOf({id, at, text}: CommandItem): Pick<CommandItem, 'id' | 'at' | 'text'> {
	return {id, at, text};
}

/** The maximum number of items. A session never has more open items. */
const maxOpen = 4096;

const pieceSchema = z.object({
	id: z.string().min(1),
	offset: z.number().int().nonnegative(),
	text: z.string(),
	item: z.unknown().optional(),
});

function beginOf({id, item: value}: z.infer<typeof pieceSchema>): Item | undefined {
	const item = parseItem(value);
	return item?.id === id ? item : undefined;
}

function parseJson(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
