import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {projectRoot} from '../test/helpers/built.ts';

/** Packs the published form of the program into `folder`. Returns the tarball's name. */
export function packProgram(folder) {
	return pack(projectRoot, folder);
}

/** Packs the floor alone. This shows npm's own time for any package, plus the time of a plain Node program. */
export function packFloor(folder) {
	const source = mkdtempSync(path.join(folder, 'floor-'));
	const text = readFileSync(fileURLToPath(new URL('floor.mjs', import.meta.url)), 'utf8');
	writeFileSync(path.join(source, 'floor.mjs'), `#!/usr/bin/env node\n${text}`, {mode: 0o755});
	writeFileSync(
		path.join(source, 'package.json'),
		JSON.stringify({name: 'floor', version: '1.0.0', bin: 'floor.mjs'}),
	);
	return pack(source, folder);
}

/**
Returns the command that starts a subject with `npx` from a packed tarball. The home directory is new, so there are no
caches. The registry cannot be reached, so npm's requests are not measured. A package that needs something from the
registry fails to start.
*/
export function cold(subject, folder, directory) {
	mkdirSync(folder, {recursive: true});
	const tarball = subject.pack(folder);
	const home = mkdtempSync(path.join(directory, 'cold-'));
	return {
		command: ['npx', '--yes', `./${tarball}`, ...subject.command.slice(2)],
		home,
		cwd: folder,
		args: [],
		env: {npm_config_registry: 'http://127.0.0.1:9'},
	};
}

function pack(source, folder) {
	const [{filename}] = JSON.parse(
		execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
			cwd: source,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}),
	);
	return filename;
}
