#!/usr/bin/env node
/*
Prints the size and the shape of the sources: `npm run figures`. A name counts as imported if another file of src
imports it by name.
*/
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {importCycles} from '../test/helpers/architecture.ts';
import {parseSource} from '../test/helpers/source-file.ts';
import {mutualFolders} from '../test/helpers/style-rules.ts';

const paths = execFileSync('git', ['ls-files', 'src'], {encoding: 'utf8'}).split('\n');
const files = paths.filter(path => /\.tsx?$/u.test(path)).map(path => parseSource(path, readFileSync(path, 'utf8')));
const lines = files.reduce((sum, file) => sum + file.lines, 0);
const names = importedNames(files);
const layers = [...new Set(files.map(({path}) => path.split('/').slice(0, 2).join('/')))].filter(
	layer => !layer.includes('.'),
);
const pairs = ['src', ...layers].flatMap(root => mutualFolders(files, root).map(pair => `${root}: ${pair}`));
const cycles = importCycles(files);

print('lines', lines);
print('files', files.length);
print('lines a file', Math.round(lines / files.length));
print('names imported from another file', names);
print('names imported, a thousand lines', Math.round((names * 10_000) / lines) / 10);
for (const layer of layers) print(`rooms of ${layer}`, roomsOf(layer));
print('pairs of folders that import each other', pairs.length, pairs);
print('cycles of imports', cycles.length, cycles);

function importedNames(sources) {
	const imported = new Set();
	for (const {path, program} of sources)
		for (const node of program.body) {
			const from = node.source?.value;
			if (typeof from !== 'string' || !from.startsWith('.')) continue;
			for (const {imported: name, local} of node.specifiers ?? [])
				imported.add(`${join(dirname(path), from)}#${name?.name ?? local?.name}`);
		}
	return imported.size;
}

function roomsOf(layer) {
	const rooms = files.flatMap(({path}) => {
		const [room, ...rest] = path.slice(layer.length + 1).split('/');
		return path.startsWith(`${layer}/`) && rest.length > 0 ? [room] : [];
	});
	return new Set(rooms).size;
}

function print(name, value, details = []) {
	process.stdout.write(`${String(value).padStart(8)}  ${name}\n`);
	for (const detail of details) process.stdout.write(`${' '.repeat(12)}${detail}\n`);
}
