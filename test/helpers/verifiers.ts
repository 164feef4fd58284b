import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {onTestFinished} from 'vitest';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifyChecks} from '../../src/pod/disk/check/verify-checks.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {makeSignature} from '../../src/pod/disk/signatures/make-signature.ts';
import {verifySignatures} from '../../src/pod/disk/signatures/verify-signatures.ts';
import type {Signed} from '../../src/pod/disk/signatures/signature-file.ts';
import {findProgram} from '../../src/pod/platform/programs.ts';
import {findKeygen, type Keygen} from '../../src/pod/platform/ssh-keygen.ts';
import {projectRoot} from './built.ts';

const path = process.env['PATH'];
export const python = findProgram('python3', path);
const sshKeygen = findProgram('ssh-keygen', path);
/** Both are packages of the system. Tests of signatures and of the Python verifier are skipped without them. */
export const canVerify = python !== undefined && sshKeygen !== undefined;

const run = promisify(execFile);

/** A temporary folder with an ssh key, and a file that accepts it as `me@example.org`. */
export type SigningPlace = {
	readonly dir: string;
	readonly key: string;
	readonly signers: string;
	readonly keygen: Keygen;
	readonly sign: (dir: string, signed: Signed) => Promise<void>;
};

export async function signingPlace({passphrase = ''} = {}): Promise<SigningPlace> {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-sign-'));
	onTestFinished(async () => rm(dir, {recursive: true, force: true}));
	const key = join(dir, 'key');
	await run(sshKeygen ?? '', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'me', '-f', key]);
	const {stdout} = await run(sshKeygen ?? '', ['-y', '-P', passphrase, '-f', key]);
	const signers = join(dir, 'signers');
	await writeFile(signers, `me@example.org ${stdout}`);
	const keygen = findKeygen({env: process.env, pwd: join(dir, 'none'), timeoutMs: 60_000});
	if (keygen === undefined) throw new Error('there is no ssh-keygen');
	const sign = async (folder: string, signed: Signed) => {
		const made = await makeSignature(signed, {dir: folder, key, keygen, now: () => '2026-01-01T00:00:00.000Z'});
		if (!made.ok) throw new Error(made.sentence);
	};
	return {dir, key, signers, keygen: remembering(keygen), sign};
}

/** Writes a session's folder. */
export async function writeRecord(dir: string, history: Buffer, signatures?: Buffer | string): Promise<string> {
	await mkdir(dir, {recursive: true});
	const file = join(dir, 'history.json');
	await writeFile(file, history);
	if (signatures !== undefined) await writeFile(join(dir, 'signatures.jsonl'), signatures);
	return file;
}

/** Tells whether inkpod calls the session in a folder intact, and its signatures valid if `place` is given. */
export async function isIntact(dir: string, place?: SigningPlace): Promise<boolean> {
	const read = await readSession(dir);
	if (!read.ok || !verifySession(read.session).ok) return false;
	if ((await verifyChecks(read.session)).length > 0) return false;
	return place === undefined || (await verifySignatures(read.session, place)).ok;
}

/** Returns what the Python verifier prints about each file. One process checks all of them. */
export async function pythonVerdicts(
	files: readonly string[],
	place: SigningPlace,
	isSigned = true,
): Promise<string[]> {
	const list = join(place.dir, 'list');
	await writeFile(list, files.map(file => `${file}\n`).join(''));
	const verifier = join(projectRoot, 'integrations/verify/verify_record.py');
	const args = [verifier, '--list', list, ...(isSigned ? ['--signers', place.signers] : [])];
	const {stdout} = await run(python ?? '', args, {maxBuffer: 1 << 28}).catch((error: unknown) => {
		if (error instanceof Error && 'code' in error && error.code === 1 && 'stdout' in error)
			return {stdout: String(error.stdout)};
		throw error;
	});
	const lines = stdout.split('\n').slice(0, -1);
	if (lines.length !== files.length) throw new Error(`${lines.length} answers for ${files.length} files`);
	return lines.map((line, index) => line.slice((files[index]?.length ?? 0) + 2));
}

export const isRefusal = (verdict: string) => verdict.startsWith('NOT INTACT');

/** Remembers the answers about each signature, because thousands of records have the same ones. */
function remembering(keygen: Keygen): Keygen {
	const known = new Map<string, ReturnType<Keygen>>();
	return async (args, input) => {
		const at = args.indexOf('-s');
		const signature = at === -1 ? '' : await readFile(args[at + 1] ?? '', 'utf8');
		const key = JSON.stringify([args.toSpliced(at + 1, 1), String(input), signature]);
		const answer = known.get(key) ?? keygen(args, input);
		known.set(key, answer);
		return answer;
	};
}
