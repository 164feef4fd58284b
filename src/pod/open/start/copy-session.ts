import {systemClock, type Clock} from '../../../worker/index.ts';
import {copyOutputs} from '../../tools/processes/copy-outputs.ts';
import {backupHashes} from '../../tools/files/changes.ts';
import {forkSession, type Forked} from '../../disk/conversations/fork.ts';
import {repairSession, type Repaired} from '../../disk/check/repair.ts';

/** The functions that find and copy the files that belong to a session's items. */
const copiers = {backupsOf: backupHashes, copyOutputs};

/** Creates a session with another session's history up to the item `upTo`. */
export async function forkStored(
	{dir, upTo}: {readonly dir: string; readonly upTo: string | undefined},
	clock: Clock,
): Promise<Forked> {
	return forkSession(dir, {upTo, ...copiers}, clock);
}

/** Creates a session with another session's whole history. */
export async function forkWhole(dir: string): Promise<Forked> {
	return forkStored({dir, upTo: undefined}, systemClock());
}

/** Makes an intact copy of a damaged session. */
export async function repairStored(dir: string): Promise<Repaired> {
	return repairSession(dir, copiers, systemClock());
}
