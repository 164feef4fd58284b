import {dirname} from 'node:path';
import {HistoryError, type Clock, type Item} from '../../../worker/index.ts';
import {copyOutputs} from '../../tools/processes/copy-outputs.ts';
import {backupHashes} from '../../tools/files/changes.ts';
import {createSession} from '../../disk/log/open.ts';
import {forkSession} from '../../disk/conversations/fork.ts';
import {idOf} from '../../disk/paths.ts';
import type {Session} from '../../disk/log/log.ts';
import type {Kept} from './side-questions.ts';

type Parts = {readonly before: readonly Item[]; readonly own: readonly Item[]};

/**
Saves a side question as a session: as a fork of the current session, or as a new session if the current session is
empty.
*/
export async function keepStored(
	{dir, cwd}: Pick<Session, 'dir' | 'cwd'>,
	{before, own}: Parts,
	clock: Clock,
): Promise<Kept> {
	const upTo = before.at(-1)?.id;
	if (upTo === undefined) return keepNew(dir, cwd, own, clock);
	const copiers = {backupsOf: backupHashes, copyOutputs};
	const forked = await forkSession(dir, {upTo, added: own, ...copiers}, clock);
	return forked.ok ? {session: idOf(forked.dir)} : {sentence: forked.sentence};
}

async function keepNew(dir: string, cwd: string, own: readonly Item[], clock: Clock): Promise<Kept> {
	const session = createSession({root: dirname(dirname(dir)), project: dirname(dir), cwd}, clock);
	try {
		await session.log.write(own);
		return {session: session.id};
	} catch (error) {
		if (error instanceof HistoryError) return {sentence: error.message};
		throw error;
	} finally {
		await session.close();
	}
}
