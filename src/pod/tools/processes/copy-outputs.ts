import {readdir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import type {Item} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {narrowDetails} from '../../protocol.ts';
import {copyFile} from '../../disk/bodies/hashed-files.ts';
import {realFiles} from '../../disk/files.ts';
import {keptOutputs, outputDir} from './output-file.ts';
import {isOutputName} from './output-file.ts';

/**
Copies the kept outputs of these items to the session of a fork. Makes independent copies, because a command may still
write to the original. Does not follow links. Copies the latest outputs first, as many as fit. Returns the number of
existing outputs that it did not copy.
*/
export async function copyOutputs(
	from: string,
	to: string,
	items: readonly Item[],
	maxBytes = maxCopiedBytes,
): Promise<number> {
	const [dir] = keptOutputs(from);
	const names = dir === undefined ? [] : await namesOf(dir, items);
	let left = maxBytes;
	let missing = 0;
	for (const name of names) {
		const copied = await copyFile(join(outputDir(from), name), join(outputDir(to), name), left, realFiles).catch(
			(error: unknown) => {
				if (errorCode(error) === '') throw error;
				return undefined;
			},
		);
		if (copied === undefined) missing++;
		else left -= copied;
	}
	return missing;
}

/** The maximum size of all copies of one fork. */
const maxCopiedBytes = 256 * 1024 * 1024;

/** Returns the names in the folder that belong to these items, the latest first. */
async function namesOf(dir: string, items: readonly Item[]): Promise<readonly string[]> {
	const present = (await readdir(dir)).filter(isOutputName);
	const named = new Set(
		items.flatMap(item => {
			const file = item.type === 'tool_result' ? narrowDetails(item.details).command?.file : undefined;
			return file === undefined ? [] : [basename(file)];
		}),
	);
	const calls = new Set(items.flatMap(({type, id}) => (type === 'tool_call' ? [id] : [])));
	const isOfCall = (name: string) => calls.has(name.replace(/(?:-\d+)?\.txt$/, ''));
	// Names begin with ULIDs, so their order is chronological.
	return present
		.filter(name => named.has(name) || isOfCall(name))
		.toSorted()
		.toReversed();
}
