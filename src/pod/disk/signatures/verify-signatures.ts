import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {t} from '../../../language/index.ts';
import type {Keygen} from '../../platform/ssh-keygen.ts';
import {realFiles, type Files} from '../files.ts';
import type {StoredSession} from '../log/read.ts';
import {namespace, openSums, readSignatures, signedBytes, type Signature} from './signature-file.ts';

/** The result of checking the signatures of a session. */
export type SignaturesVerdict = {
	/** Whether an accepted signature fits the history, and no accepted signature contradicts it. */
	readonly ok: boolean;
	/** The number of items that are signed, and of all items. */
	readonly signed: number;
	readonly items: number;
	/** The name of the signer in the file of signers, and the time that the last signature states. */
	readonly by?: {readonly name: string; readonly at: string};
	readonly findings: ReadonlyArray<{readonly level: 'failure' | 'note'; readonly sentence: string}>;
};

type CheckOptions = {
	readonly keygen: Keygen;
	/** The path of the file of accepted signers, in the format of `allowed_signers`. */
	readonly signers: string;
	readonly files?: Files;
};

/**
Checks the signatures of a session. Everything up to the last accepted signature is signed. An accepted signature that
the history does not fit is a failure. A signature that is not accepted is ignored. It asks ssh-keygen about at most
`maxChecks` signatures, the last one first.
*/
export async function verifySignatures(
	session: Pick<StoredSession, 'id' | 'dir' | 'decoded'>,
	{keygen, signers, files = realFiles}: CheckOptions,
): Promise<SignaturesVerdict> {
	const {signatures, others, problem} = await readSignatures(session.dir, session.id, files);
	const items = session.decoded.lines.filter(line => 'item' in line).length;
	const checker = await createChecker(keygen, signers);
	const sums = await openSums(session, files);
	const failures: string[] = [];
	let best: {readonly count: number; readonly name: string; readonly at: string} | undefined;
	let refused = 0;
	try {
		for (const one of signatures.toReversed()) {
			const fits = (await sums.sumAt(one.count)) === one.head;
			if (fits && one.count <= (best?.count ?? 0)) continue;
			const name = await checker.signerOf(one);
			if (name === undefined) refused += 1;
			else if (fits) best = {count: one.count, name, at: one.at};
			else failures.push(one.count > items ? texts.tooMany(one.count, items) : texts.changed(one.count));
		}
	} finally {
		await sums.close();
		await checker.close();
	}
	if (best !== undefined && hasUnsignedRedaction(session.decoded, best.count)) failures.push(texts.redacted);
	if (problem !== undefined) failures.push(problem);
	else if (best === undefined && failures.length === 0) failures.push(texts.none);
	return {
		ok: failures.length === 0,
		signed: best?.count ?? 0,
		items,
		...(best !== undefined && {by: {name: best.name, at: best.at}}),
		findings: [
			...failures.map(sentence => ({level: 'failure', sentence}) as const),
			...(refused === 0 ? [] : [{level: 'note', sentence: texts.refused(refused)} as const]),
			...(others === 0 ? [] : [{level: 'note', sentence: texts.others(others)} as const]),
		],
	};
}

/** Tells whether one of the first `count` items was redacted, and the item that says so is not among them. */
function hasUnsignedRedaction({lines, redacted}: StoredSession['decoded'], count: number): boolean {
	if (redacted.length === 0) return false;
	const items = lines.filter(line => 'item' in line);
	const later = items.slice(count).flatMap(({item}) => (item.type === 'redaction' ? item.lines : []));
	const unsigned = new Set(later.map(({id}) => id));
	const changed = new Set(redacted);
	return items.slice(0, count).some(({line, item}) => changed.has(line) && unsigned.has(item.id));
}

type Checker = {
	/** Returns the name of the signer if the signature is accepted. */
	readonly signerOf: (signature: Signature) => Promise<string | undefined>;
	readonly close: () => Promise<void>;
};

/** ssh-keygen reads a signature only from a file, so the checker writes it into a folder of its own. */
async function createChecker(keygen: Keygen, signers: string): Promise<Checker> {
	const folder = await mkdtemp(join(tmpdir(), 'inkpod-verify-'));
	const path = join(folder, 'signature');
	let checks = 0;
	return {
		async signerOf(signature) {
			if (checks++ >= maxChecks) return undefined;
			await writeFile(path, signature.signature);
			const found = await keygen(['-Y', 'find-principals', '-s', path, '-f', signers], '');
			const names = found.ok ? found.output.split('\n').filter(name => name !== '') : [];
			for (const name of names.slice(0, maxNames)) {
				const args = ['-Y', 'verify', '-q', '-n', namespace, '-f', signers, '-I', name, '-s', path];
				if ((await keygen(args, signedBytes(signature))).ok) return name;
			}
			return undefined;
		},
		close: async () => rm(folder, {recursive: true, force: true}),
	};
}

/** The maximum number of signatures that ssh-keygen checks. */
const maxChecks = 1000;
/** The maximum number of names of one key that are tried. */
const maxNames = 16;

const texts = {
	none: t`The session has no accepted signature.`,
	tooMany: (count: number, items: number) => t`${count} items were signed, but the history has only ${items}.`,
	changed: (count: number) => t`The history was changed: its first ${count} items are not those that were signed.`,
	redacted: t`A signed item was redacted, and no accepted signature covers the redaction.`,
	refused: (count: number) => t`Signatures that are not accepted: ${count}.`,
	others: (count: number) => t`Lines that are not signatures of this session: ${count}.`,
} as const;
