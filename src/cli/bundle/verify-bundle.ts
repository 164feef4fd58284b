import {dirname, join, resolve} from 'node:path';
import {
	checkEntries,
	historyName,
	openBundle,
	readSession,
	type BundleManifest,
	type Env,
	type OpenBundle,
	type ScreenDigest,
	type StoredSession,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Output} from '../sessions.ts';
import {checkResult, finding} from '../texts.ts';
import {signatureCheck, type SignatureCheck} from '../signatures/verify-signatures.ts';
import {checkSession} from '../verify.ts';
import {screenDigests, screenLanguage} from './export-bundle.ts';
import {
	bundleDamaged,
	bundleIntact,
	differentScreen,
	madeBy,
	missingScreen,
	notComparable,
	refusedBundle,
	unknownScreen,
} from './texts.ts';

type VerifyBundleOptions = {
	readonly file: string;
	readonly cwd?: string;
	/** The path of the file of accepted signers. */
	readonly signers?: string;
	readonly env: Env;
	/** The version of inkpod. */
	readonly version: string;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod verify BUNDLE`: compares every file with the manifest, and checks histories, requests and screens. It
does not unpack the bundle, and does not need the project or inkpod's state. The exit code is 0, 1 for a failure, or 2
for bad usage.
*/
export async function verifyBundle({
	file,
	cwd = '.',
	signers,
	env,
	version,
	stdout,
	stderr,
}: VerifyBundleOptions): Promise<number> {
	const signing = await signatureCheck(signers, {env, cwd});
	if ('sentence' in signing) {
		stderr.write(`inkpod: ${sanitizeLine(signing.sentence)}\n`);
		return 2;
	}
	const path = resolve(cwd, file);
	const opened = await openBundle(path);
	if (!opened.ok) {
		stderr.write(`inkpod: ${sanitizeLine(refusedBundle(file, opened.sentence))}\n`);
		return 1;
	}
	try {
		const {ok, lines} = await check(path, file, opened.bundle, {version, signing});
		const all = [...lines, ok ? bundleIntact : bundleDamaged];
		stdout.write(all.map(line => `${sanitizeLine(line)}\n`).join(''));
		return ok ? 0 : 1;
	} finally {
		await opened.bundle.close();
	}
}

type Checked = {readonly ok: boolean; readonly lines: readonly string[]};

async function check(
	path: string,
	file: string,
	{entries, files}: OpenBundle,
	{version, signing}: {readonly version: string; readonly signing: SignatureCheck},
): Promise<Checked> {
	const {manifest, findings} = await checkEntries(entries);
	const named = findings.map(one => finding('failure', undefined, one.sentence, one.path));
	if (manifest === undefined) return {ok: false, lines: [`bundle   ${file}`, ...named]};
	const head = [
		`bundle   ${file}, ${madeBy(manifest.inkpod, manifest.language)}`,
		`files    ${entries.size}: ${checkResult(findings.length, 0)}`,
		...named,
	];
	const root = join(path, manifest.session);
	const read = await readSession(root, files);
	if (!read.ok) return {ok: false, lines: [...head, finding('failure', undefined, read.sentence)]};
	const own = await checkSession(read.session, {requests: true, signing, files});
	const screens = checkScreens(manifest, [read.session, ...own.children], {root, version});
	return {ok: findings.length === 0 && own.ok && screens.ok, lines: [...head, ...own.lines, ...screens.lines]};
}

/**
Makes the digests again and compares them. Another version or language shows other texts, so they cannot be compared.
*/
function checkScreens(
	{inkpod, language, screens}: BundleManifest,
	sessions: readonly StoredSession[],
	{root, version}: {readonly root: string; readonly version: string},
): Checked {
	if (inkpod !== version || language !== screenLanguage)
		return {ok: true, lines: [`screens  ${notComparable(screens.length, madeBy(inkpod, language))}`]};
	const keyOf = ({file, item}: ScreenDigest) => `${file}\n${item}`;
	const made = new Map(
		sessions.flatMap(session =>
			screenDigests(session, join(session.dir, historyName).slice(root.length + 1)).map(one => [keyOf(one), one]),
		),
	);
	const lines: string[] = [];
	const fail = ({file, item}: ScreenDigest, sentence: string) =>
		void lines.push(finding('failure', undefined, sentence, `${dirname(file)}, item ${item}`));
	for (const stored of screens) {
		const now = made.get(keyOf(stored));
		made.delete(keyOf(stored));
		if (now === undefined) fail(stored, unknownScreen);
		else if (now.sha256 !== stored.sha256) fail(stored, differentScreen);
	}
	for (const one of made.values()) fail(one, missingScreen);
	return {
		ok: lines.length === 0,
		lines: [`screens  ${screens.length}: ${checkResult(lines.length, 0)}`, ...lines],
	};
}
