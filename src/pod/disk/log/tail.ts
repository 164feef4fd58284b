import type {Item} from '../../../worker/index.ts';
import {readLine, type Chain} from '../format/read-line.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {openFile, readAt, realFiles, type Files} from '../files.ts';
import {closing} from '../format/line.ts';
import {historyFile} from '../paths.ts';

/**
Returns the items in the last `length` bytes of a history, after the last damaged line. Each item is checked against the
previous checksum, but the chain before these bytes is not checked. So the items may be shown, but nothing else may
depend on them. Returns `undefined` if the file is not longer than `length`, is unreadable, has no complete closing
brackets, or contains an unknown type of item.
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
		// This error is reported when the session is opened.
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
		// The first line cannot be checked, because there is no checksum before it.
		if (read.item === undefined || read.link !== 'follows') items.length = 0;
		else items.push(read.item);
		start = next + 1;
	}
	return items;
}

const newline = 0x0a;
