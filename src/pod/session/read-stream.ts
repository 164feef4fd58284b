import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {z} from 'zod';
import {parseItem, type Item} from '../../worker/index.ts';
import {grown, streamedText} from '../protocol/tail.ts';
import {maxStreamBytes} from './stream-log.ts';

/**
Reads the log of streamed text: the items that were open, with their text, in the order of their first pieces. It is
empty if the file cannot be read. Whatever the file is, it does not block or read without a limit.
*/
export async function readStream(path: string): Promise<readonly Item[]> {
	const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
		() => undefined,
	);
	if (file === undefined) return [];
	try {
		const stat = await file.stat();
		if (!stat.isFile()) return [];
		const bytes = Buffer.allocUnsafe(Math.min(stat.size, maxStreamBytes));
		const {bytesRead} = await file.read(bytes, 0, bytes.length, 0);
		return decodeStream(bytes.toString('utf8', 0, bytesRead));
	} finally {
		await file.close();
	}
}

/**
Decodes the log. It drops an incomplete last line, lines that are not pieces, and the pieces of an item after a missing
one.
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

/** More items are never open at once. */
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
