import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {projectRoot} from '../test/helpers/built.ts';

/** The program as it is published, packed into `folder`. Gives the tarball's name there. */
export function packProgram(folder) {
	return pack(projectRoot, folder);
}

/** A package that is the floor and nothing else: what npm takes for any package, and a raw Node program after it. */
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
What it takes to start a subject by `npx` from a packed tarball with nothing kept from before: a home of its own, in it
neither a cache of npm's nor of ours.
No registry answers: what npm asks one besides is not measured, and a package that needed something of it would not
start.
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
