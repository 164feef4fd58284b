import {constants} from 'node:fs';
import {z} from 'zod';
import {parseItem, type Item} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {grown, streamedText} from '../../protocol/tail.ts';
import {readAt, realFiles, type Files} from '../files.ts';
import {maxStreamBytes} from './stream-log.ts';

/**
Reads the log of streamed text: the items that were open, with their text, in the order of their first pieces. It is
empty if the file cannot be read. Whatever the file is, it does not block or read without a limit.
*/
export async function readStream(path: string, files: Files = realFiles): Promise<readonly Item[]> {
	return decodeStream((await readSmall(path, maxStreamBytes, files)) ?? '');
}

/**
Returns the text of a file beside a history, at most `maxBytes` of it, or `undefined` if it cannot be read. It follows
no link, and does not block.
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
