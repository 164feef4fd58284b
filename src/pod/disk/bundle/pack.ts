import {hash} from 'node:crypto';
import {createGzip} from 'node:zlib';
import {Readable} from 'node:stream';
import {encodeManifest, manifestName, sumName, type BundleManifest} from './manifest.ts';
import type {PackedFile} from './collect.ts';
import {tarOf, type TarEntry} from './tar.ts';

type PackOptions = {
	readonly files: readonly PackedFile[];
	readonly facts: Pick<BundleManifest, 'inkpod' | 'language' | 'session' | 'screens'>;
	readonly isZipped: boolean;
};

/** Yields the bytes of a bundle: the files, then the manifest, then the hash of the manifest. */
export function packBundle({files, facts, isZipped}: PackOptions): AsyncIterable<Uint8Array> {
	const tar = tarOf(entriesOf(files, facts));
	return isZipped ? Readable.from(tar).pipe(createGzip()) : tar;
}

async function* entriesOf(files: readonly PackedFile[], facts: PackOptions['facts']): AsyncGenerator<TarEntry> {
	const listed: Array<BundleManifest['files'][number]> = [];
	const entry = (name: string, bytes: Buffer) => ({name: `${facts.session}/${name}`, bytes});
	for (const {name, load} of files) {
		const bytes = await load();
		if (bytes === undefined) continue;
		listed.push({name, bytes: bytes.length, sha256: hash('sha256', bytes, 'hex')});
		yield entry(name, bytes);
	}
	const {manifest, sum} = encodeManifest({format: 'inkpod-bundle', version: 1, ...facts, files: listed});
	yield entry(manifestName, manifest);
	yield entry(sumName, sum);
}
