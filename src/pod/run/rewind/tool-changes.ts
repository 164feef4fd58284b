import type {Item} from '../../../worker/index.ts';
import type {SessionChanges} from '../../protocol.ts';
import {compareFile, diffOf, type CompareOptions} from './compare-file.ts';
import {fileTraces} from '../../tools/files/changes.ts';

/** The maximum number of files, and the maximum size of all their diffs together in bytes. */
const maxFiles = 200;
const maxDiffBytes = 262_144;

/**
Returns the files that tools have changed in a session, with the diffs from their earlier to their current contents.
Omits files that have their earlier contents again. The function changes nothing.
*/
export async function toolChanges(
	items: readonly Item[],
	{scope, ...options}: CompareOptions,
): Promise<Pick<SessionChanges, 'files' | 'moreFiles'>> {
	// The function only reads the files, so it can treat a read-only scope as writable.
	const readable = {...scope, writable: true};
	const files: Array<SessionChanges['files'][number]> = [];
	let [bytes, moreFiles] = [0, 0];
	for (const trace of fileTraces(items)) {
		if (files.length === maxFiles || bytes > maxDiffBytes) {
			moreFiles += 1;
			continue;
		}
		const compared = await compareFile(trace, {scope: readable, ...options});
		if (compared === undefined) continue;
		const {path, present} = compared;
		const diff = compared.ok ? await diffOf(path, compared.original, present) : '';
		const remark = compared.ok ? compared.others : compared.sentence;
		bytes += Buffer.byteLength(diff);
		files.push({path, diff, remark});
	}
	return {files, moreFiles};
}
