import {
	emptyTrash,
	errorCode,
	failureOf,
	failureSentence,
	findStoredSession,
	idOf,
	listTrash,
	restoreTrashed,
	trashRoot,
	trashSession,
	type Env,
	type StoredSessionOptions,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {inertJson} from '../output/output.ts';
import {sessionTable, type Output} from '../sessions.ts';
import {emptied, movedToTrash, notInTrash, restored, severalInTrash, trashIsEmpty} from './texts.ts';

type Outputs = {readonly stdout: Output; readonly stderr: Output};

/**
Implements `inkpod delete <id>`: moves a session to the trash. The exit code is 0, 1 for a failure, or 2 for bad usage
or configuration.
*/
export async function deleteSession({stdout, stderr, ...wanted}: StoredSessionOptions & Outputs): Promise<number> {
	const found = await findStoredSession(wanted);
	if (!found.ok) return refuse(stderr, found.sentence, found.code);
	const trashed = await trashSession(found.dir, wanted.env);
	if (!trashed.ok) return refuse(stderr, trashed.sentence, 1);
	stdout.write(`${movedToTrash(idOf(trashed.dir))}\n`);
	return 0;
}

export type TrashOptions = Outputs & {
	readonly env: Env;
	/** The id of the session to restore, or a prefix of the id. */
	readonly restore?: string;
	/** Whether to delete all sessions of the trash permanently. */
	readonly empty: boolean;
	readonly json: boolean;
	readonly now?: number;
};

/** Implements `inkpod trash`: lists, restores or deletes the sessions of the trash. The exit code is 0, or 1. */
export async function trash({
	env,
	restore,
	empty,
	json,
	stdout,
	stderr,
	now = Date.now(),
}: TrashOptions): Promise<number> {
	try {
		if (restore !== undefined) return await restoreById(restore, {env, stdout, stderr});
		if (empty) {
			const gone = await emptyTrash(env);
			stdout.write(
				`${emptied(
					gone.length,
					gone.reduce((sum, {bytes}) => sum + bytes, 0),
				)}\n`,
			);
			return 0;
		}
		const all = await listTrash(env);
		if (json) stdout.write(`${inertJson(all, 2)}\n`);
		else stdout.write(all.length === 0 ? `${trashIsEmpty}\n` : sessionTable(all, now));
		return 0;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return refuse(stderr, failureSentence(failureOf(error), trashRoot(env), error), 1);
	}
}

async function restoreById(id: string, {env, stdout, stderr}: Outputs & {readonly env: Env}): Promise<number> {
	const found = (await listTrash(env)).filter(session => session.id.startsWith(id.toUpperCase()));
	const [first] = found;
	if (first === undefined) return refuse(stderr, notInTrash(id), 1);
	if (found.length > 1) return refuse(stderr, severalInTrash(id, found.length), 1);
	const back = await restoreTrashed(first.dir, env);
	if (!back.ok) return refuse(stderr, back.sentence, 1);
	stdout.write(`${restored(idOf(back.dir))}\n`);
	return 0;
}

function refuse(stderr: Output, sentence: string, code: number): number {
	stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	return code;
}
