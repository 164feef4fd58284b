import {findStoredSession, idOf, repairSession, type StoredSessionOptions} from '../pod/index.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {Output} from './sessions.ts';
import {repairedAs} from './texts.ts';

type RepairCommandOptions = StoredSessionOptions & {readonly stdout: Output; readonly stderr: Output};

/**
Implements `inkpod repair <id>`: creates an intact copy of a damaged session, and lists what changed. The damaged
session is not changed. The exit code is 0 (even if there is nothing to repair), 1 for a failure, or 2 for bad usage or
configuration.
*/
export async function repair({stdout, stderr, ...wanted}: RepairCommandOptions): Promise<number> {
	const found = await findStoredSession(wanted);
	if (!found.ok) {
		stderr.write(`inkpod: ${sanitizeLine(found.sentence)}\n`);
		return found.code;
	}
	const repaired = await repairSession(found.dir);
	if (!repaired.ok) {
		if (repaired.intact) stdout.write(`${repaired.sentence}\n`);
		else stderr.write(`inkpod: ${sanitizeLine(repaired.sentence)}\n`);
		return repaired.intact ? 0 : 1;
	}
	const lines = [...repaired.changes, repairedAs(idOf(found.dir), idOf(repaired.dir))];
	stdout.write(lines.map(line => `${sanitizeLine(line)}\n`).join(''));
	return 0;
}
