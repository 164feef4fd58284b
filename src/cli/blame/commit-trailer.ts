import {
	findProject,
	idOf,
	latestSession,
	projectDir,
	readStoredSession,
	sessionsRoot,
	verifySession,
	type Env,
	type StoredSessionOptions,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Output} from '../output/output.ts';
import {noSessionsHere} from '../texts.ts';
import {blameTexts} from './texts.ts';

type TrailerOptions = Omit<StoredSessionOptions, 'id'> & {
	/** Without it, the session that changed last is meant. */
	readonly id?: string | undefined;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod commit-trailer`: prints a trailer for a commit message, which names a session and the checksum of its
last item. It only reads. The exit code is 0, 1 if there is no such session, or 2 for bad usage or configuration.
*/
export async function commitTrailer({id, stdout, stderr, ...where}: TrailerOptions): Promise<number> {
	const refuse = (sentence: string, code: number) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	const wanted = id ?? (await latestId(where));
	if (wanted === undefined) return refuse(noSessionsHere, 1);
	const stored = await readStoredSession({...where, id: wanted});
	if (!stored.ok) return refuse(stored.sentence, stored.code);
	const {session} = stored;
	const {sum} = verifySession(session);
	if (session.items.length === 0) return refuse(blameTexts.noHead(session.id), 1);
	stdout.write(`Inkpod-Session: ${session.id}@${sum}\n`);
	return 0;
}

async function latestId({env, ...where}: Omit<StoredSessionOptions, 'id'>): Promise<string | undefined> {
	const project = await findProject(where, env);
	if (!project.ok) return undefined;
	const found = await latestSession(projectDir(sessionsRoot(env), project.manifest.pwd));
	return found.ok && found.dir !== undefined ? idOf(found.dir) : undefined;
}
