import {createHash, hash} from 'node:crypto';
import {basename} from 'node:path';
import {z} from 'zod';
import {sessionId} from '../paths.ts';
import {piecesOf, type ByteSource} from './byte-source.ts';
import {bundleTexts} from './texts.ts';

const sha256 = z.string().regex(/^[\da-f]{64}$/);

/** The hash of the text rows of one turn as the screen shows them, in the normal view at 80 columns. */
const screenSchema = z.object({
	/** The name of the entry with the history.json of the session. */
	file: z.string(),
	/** The id of the `run_end` item after which the rows are shown. */
	item: z.string(),
	rows: z.number().int().nonnegative(),
	sha256,
});

const manifestSchema = z.object({
	format: z.literal('inkpod-bundle'),
	version: z.literal(1),
	/** The version of inkpod that made the bundle, and the language of its texts. */
	inkpod: z.string(),
	language: z.string(),
	session: z.string().regex(sessionId),
	files: z.array(z.object({name: z.string(), bytes: z.number().int().nonnegative(), sha256})).max(100_000),
	screens: z.array(screenSchema).readonly(),
});

export type BundleManifest = z.infer<typeof manifestSchema>;
export type ScreenDigest = BundleManifest['screens'][number];

export const manifestName = 'manifest.json';
export const sumName = 'manifest.sha256';

/** Returns two files: the manifest, and the hash of the manifest in the format of sha256sum. */
export function encodeManifest(manifest: BundleManifest): {readonly manifest: Buffer; readonly sum: Buffer} {
	const bytes = Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`);
	return {manifest: bytes, sum: Buffer.from(sumLine(bytes))};
}

function sumLine(manifest: Buffer): string {
	return `${hash('sha256', manifest, 'hex')}  ${manifestName}\n`;
}

/** A problem of an entry. `path` is the name of the entry. */
type BundleFinding = {readonly path: string; readonly sentence: string};

/** `findings` names every entry that differs from the manifest. If there is no manifest, nothing can be compared. */
type FilesVerdict = {readonly manifest?: BundleManifest; readonly findings: readonly BundleFinding[]};

/** Compares all entries of a bundle with its manifest. All names begin with the id of the session. */
export async function checkEntries(entries: ReadonlyMap<string, ByteSource>): Promise<FilesVerdict> {
	const path = [...entries.keys()].find(name => name.split('/').length === 2 && basename(name) === manifestName);
	const source = path === undefined ? undefined : entries.get(path);
	if (path === undefined || source === undefined || source.size > maxManifestBytes)
		return {findings: [{path: manifestName, sentence: bundleTexts.noManifest}]};
	const root = path.slice(0, -manifestName.length);
	const bytes = await source.read(0, source.size);
	const sum = entries.get(root + sumName);
	const isSame = sum !== undefined && (await textOf(sum)) === sumLine(bytes);
	const findings: BundleFinding[] = isSame ? [] : [{path, sentence: bundleTexts.changedManifest}];
	const manifest = parseManifest(bytes);
	if (manifest === undefined) return {findings: [...findings, {path, sentence: bundleTexts.badManifest}]};
	const known = new Set([path, root + sumName]);
	for (const file of manifest.files) {
		const name = root + file.name;
		// A name that occurs often would be hashed each time.
		const isRepeated = known.has(name);
		known.add(name);
		const sentence = isRepeated ? bundleTexts.repeated(file.name) : await problemOf(entries.get(name), file);
		if (sentence !== undefined) findings.push({path: name, sentence});
	}
	for (const name of entries.keys()) if (!known.has(name)) findings.push({path: name, sentence: bundleTexts.unnamed});
	if (root !== `${manifest.session}/`) findings.push({path, sentence: bundleTexts.badManifest});
	return {manifest, findings};
}

async function problemOf(
	source: ByteSource | undefined,
	file: BundleManifest['files'][number],
): Promise<string | undefined> {
	if (source === undefined) return bundleTexts.missing;
	if (source.size !== file.bytes) return bundleTexts.changed;
	const sum = createHash('sha256');
	for await (const piece of piecesOf(source)) sum.update(piece);
	return sum.digest('hex') === file.sha256 ? undefined : bundleTexts.changed;
}

function parseManifest(bytes: Buffer): BundleManifest | undefined {
	try {
		return manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
	} catch {
		return undefined;
	}
}

async function textOf(source: ByteSource): Promise<string> {
	return (await source.read(0, Math.min(source.size, 4096))).toString('latin1');
}

const maxManifestBytes = 64 * 1024 * 1024;
