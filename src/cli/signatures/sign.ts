import {resolve} from 'node:path';
import {
	describeKey,
	findKeygen,
	loadConfig,
	makeSignature,
	readStoredSession,
	signTexts,
	verifySession,
	type Env,
	type StoredSessionOptions,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Output} from '../sessions.ts';
import {signingTexts} from './texts.ts';

type SignOptions = StoredSessionOptions & {
	/** The path of the key. By default the user's config.toml names it. */
	readonly key?: string;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod sign <id>`: signs all items of an intact session with ssh-keygen. It takes no lock, and it never asks
for a passphrase. The exit code is 0, 1 for a failure, or 2 for bad usage or configuration.
*/
export async function sign({key, stdout, stderr, ...wanted}: SignOptions): Promise<number> {
	const refuse = (sentence: string, code = 1) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	const chosen = await chooseKey(key, wanted);
	if (!chosen.ok) return refuse(chosen.sentence, 2);
	const stored = await readStoredSession(wanted);
	if (!stored.ok) return refuse(stored.sentence, stored.code);
	const {session, pwd} = stored;
	const {ok, sum} = verifySession(session);
	if (!ok) return refuse(signTexts.damaged);
	const count = session.decoded.lines.filter(line => 'item' in line).length;
	if (count === 0) return refuse(signingTexts.empty);
	const keygen = findKeygen({env: wanted.env, pwd, timeoutMs});
	if (keygen === undefined) return refuse(signTexts.noProgram);
	const facts = await describeKey(keygen, chosen.key);
	if (!facts.ok) return refuse(facts.sentence);
	if (facts.needsTouch) stderr.write(`inkpod: ${signingTexts.touch}\n`);
	const now = () => new Date().toISOString();
	const signed = {session: session.id, count, head: sum};
	const made = await makeSignature(signed, {dir: session.dir, key: chosen.key, keygen, now});
	if (!made.ok) return refuse(made.sentence);
	stdout.write(`${sanitizeLine(signingTexts.signed(count, session.id, facts.fingerprint))}\n`);
	return 0;
}

type Chosen = {readonly ok: true; readonly key: string} | {readonly ok: false; readonly sentence: string};

async function chooseKey(
	key: string | undefined,
	{env, cwd = '.'}: {readonly env: Env; readonly cwd?: string},
): Promise<Chosen> {
	if (key !== undefined) return {ok: true, key: resolve(cwd, key)};
	const loaded = await loadConfig(env);
	if (!loaded.ok) return loaded;
	const written = loaded.config.record?.key;
	if (written === undefined) return {ok: false, sentence: signingTexts.noKey};
	return {ok: true, key: written};
}

/** A key in a device waits for a touch. */
const timeoutMs = 60_000;
