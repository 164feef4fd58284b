import {join} from 'node:path';
import {hashesIn, blobsDir, readBlob} from '../bodies/blobs.ts';
import {realFiles, type Files} from '../files.ts';
import type {StoredSession} from '../log/read.ts';
import {blobTexts} from '../texts.ts';
import {isRescueNotice, type SideFinding} from './verify-summaries.ts';

/** The result of checking the images and documents of a session. */
export type BlobsVerdict = {
	readonly ok: boolean;
	/** The number of distinct images and documents that the history names. */
	readonly count: number;
	readonly findings: readonly SideFinding[];
};

/**
Checks that the images and documents of a history are beside it and have their hashes. They are read one after the
other. One that is missing is only a note if the session was saved again later, because its folder had vanished.
*/
export async function verifyBlobs(
	{dir, items}: Pick<StoredSession, 'dir' | 'items'>,
	files: Files = realFiles,
): Promise<BlobsVerdict> {
	const rescuedAt = items.findLastIndex(isRescueNotice);
	const lost = hashesIn(items.slice(0, rescuedAt + 1));
	const hashes = hashesIn(items);
	const findings: SideFinding[] = [];
	for (const sha256 of hashes)
		if ((await readBlob(dir, sha256, files)) === undefined)
			findings.push({
				path: join(blobsDir(dir), sha256),
				level: lost.has(sha256) ? 'note' : 'failure',
				sentence: blobTexts.gone,
			});
	return {ok: findings.every(({level}) => level === 'note'), count: hashes.size, findings};
}
