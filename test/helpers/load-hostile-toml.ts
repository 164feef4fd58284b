import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {loadManifest} from '../../src/pod/open/manifest/load-manifest.ts';
import {hostileToml} from './hostile-toml.ts';

/** This program loads each hostile text as a project's file, and writes each result as a JSON line. */
for (const [name, text] of Object.entries(hostileToml(Number(process.argv[2])))) {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-hostile-'));
	await writeFile(join(dir, 'inkpod.toml'), text);
	const result = await loadManifest({start: dir});
	process.stdout.write(`${JSON.stringify([name, result.ok ? 'ok' : result.sentence])}\n`);
	await rm(dir, {recursive: true, force: true});
}
