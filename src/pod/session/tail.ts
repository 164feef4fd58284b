import type {Item} from '../../worker/index.ts';
import {readLine, type Chain} from './decode.ts';
import {errorCode} from '../files/fs-error.ts';
import {openFile, readAt, realFiles, type Files} from './files.ts';
import {closing} from './line.ts';
import {historyFile} from './paths.ts';

/**
The last items of a session, none from before its last damaged line: those of the last `length` bytes of its history.
Each is checked against the sum before it; whether the chain holds from the beginning is not known yet, so that they may
be shown and nothing may be built on them.
`undefined`: the file is not longer than that, does not end as it should, cannot be read, or has something in it that
this version does not know.
*/
export async function readTail(
	dir: string,
	length: number,
	files: Files = realFiles,
): Promise<readonly Item[] | undefined> {
	try {
		const file = await openFile(files, historyFile(dir));
		try {
			const {size} = await file.stat();
			return size > length ? itemsIn(await readAt(file, size - length, length)) : undefined;
		} finally {
			await file.close();
		}
	} catch (error) {
		// Whoever opens the session tells what is wrong with it.
		if (errorCode(error) === '') throw error;
		return undefined;
	}
}

function itemsIn(bytes: Buffer): readonly Item[] | undefined {
	if (!bytes.subarray(-closing.length).equals(closing)) return undefined;
	const end = bytes.length - closing.length;
	const items: Item[] = [];
	let chain: Chain = {sums: [''], broken: true};
	for (let start = bytes.indexOf(newline) + 1; start <= end;) {
		const next = bytes.indexOf(newline, start);
		const read = readLine(bytes.subarray(start), next - start, chain);
		if ('type' in read) return undefined;
		({chain} = read);
		// The first one has nothing that it could be checked against.
		if (read.item === undefined || !read.checked) items.length = 0;
		else items.push(read.item);
		start = next + 1;
	}
	return items;
}

const newline = 0x0a;
