import {findKeygen, type Keygen} from '../../platform/ssh-keygen.ts';
import type {Env} from '../../ground/env/env.ts';
import {verifySession} from '../check/verify.ts';
import {realFiles, type Files} from '../files.ts';
import type {Session} from '../log/log.ts';
import {readSession} from '../log/read.ts';
import {describeKey, makeSignature, signTexts} from './make-signature.ts';
import {openSums} from './signature-file.ts';

/** A place of a history: the number of its items so far, and the sum of the last one's line. */
type Head = {readonly items: number; readonly sum: string};

type RunSigningOptions = {
	/** The folder and the id change if the session is saved again in another folder. */
	readonly session: Pick<Session, 'id' | 'dir'>;
	/** The path of the key. */
	readonly key: string;
	readonly env: Env;
	/** The project, whose programs are never used. */
	readonly pwd: string;
	/** The present time (ISO). */
	readonly now: () => string;
	readonly files?: Files;
};

/**
Returns a function that signs a history up to a head. It resolves with a sentence if it did not sign. It asks the user
for nothing, and signs no history that `inkpod verify` would call damaged: before the first signature in a folder it
reads the whole file once.
*/
export function createRunSigner({
	session,
	key,
	env,
	pwd,
	now,
	files = realFiles,
}: RunSigningOptions): (head: Head) => Promise<string | undefined> {
	const keygen = findKeygen({env, pwd, timeoutMs});
	let checked: {readonly dir: string; readonly isIntact: boolean} | undefined;
	let isUsable = false;

	return async head => {
		if (keygen === undefined) return signTexts.noProgram;
		const problem = isUsable ? undefined : await keyProblem(keygen, key);
		if (problem !== undefined) return problem;
		isUsable = true;
		const {id, dir} = session;
		if (checked?.dir !== dir) checked = {dir, isIntact: await isIntactUpTo(dir, head, files)};
		if (!checked.isIntact) return signTexts.damaged;
		const signed = {session: id, count: head.items, head: head.sum};
		const made = await makeSignature(signed, {dir, key, keygen, now, files});
		return made.ok ? undefined : made.sentence;
	};
}

async function keyProblem(keygen: Keygen, key: string): Promise<string | undefined> {
	const facts = await describeKey(keygen, key);
	if (!facts.ok) return facts.sentence;
	return facts.needsTouch ? signTexts.needsTouch(key) : undefined;
}

/** Tells whether the history in a folder is intact, and has this head. */
async function isIntactUpTo(dir: string, {items, sum}: Head, files: Files): Promise<boolean> {
	const read = await readSession(dir, files);
	if (!read.ok || !verifySession(read.session).ok) return false;
	const sums = await openSums(read.session, files);
	try {
		return (await sums.sumAt(items)) === sum;
	} finally {
		await sums.close();
	}
}

/** A run's end waits at most this long when the program quits. A key without a passphrase needs milliseconds. */
const timeoutMs = 5000;
