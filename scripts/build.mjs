// Builds dist/: the launcher, the program in one file, its lazily loaded chunks, and the licences of all inlined
// packages.
import {chmod, copyFile, mkdir, readFile, readdir, rename, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {requireNode} from './node-version.mjs';

/**
Builds dist/. It writes all files first, and then moves them to dist/ one by one, the entry last. So a failed build
leaves the old program, and a running program still finds its chunks. Throws an Error with a sentence.
*/
export async function build() {
	const {bundle, root} = await import('./bundle.mjs');
	const {thirdPartyNotices} = await import('./notices.mjs');
	const fresh = path.join(root, `node_modules/.cache/inkpod-build.${process.pid}`);
	await rm(fresh, {recursive: true, force: true});
	await mkdir(fresh, {recursive: true});
	try {
		// This file is copied first: its modification time shows whether dist/ is newer than the sources.
		await copyFile(path.join(root, 'scripts/launcher.mjs'), path.join(fresh, 'inkpod.js'));
		await chmod(path.join(fresh, 'inkpod.js'), 0o755);
		const chunks = await bundle({directory: fresh, minify: true, sourcemap: false});
		// The bundle may export more names for its chunks. These names are not part of the API.
		await writeFile(path.join(fresh, 'library.js'), "export {openPod} from './chunks/library-entry.js';\n");
		await writeFile(path.join(fresh, 'library.d.ts'), await libraryTypes(root));
		await writeFile(path.join(fresh, 'THIRD_PARTY_NOTICES.txt'), thirdPartyNotices(chunks, root));
		await refuseStrayText(fresh, [root, os.homedir()]);
		await moveFiles(fresh, path.join(root, 'dist'));
	} finally {
		await rm(fresh, {recursive: true, force: true});
	}
}

// The types of the library are in one source that imports nothing, so they need no package.
async function libraryTypes(root) {
	const types = await readFile(path.join(root, 'src/library/types.ts'), 'utf8');
	if (/^import |\bimport\(/mu.test(types)) throw new Error('src/library/types.ts imports something');
	const source = await readFile(path.join(root, 'src/library/open-pod.ts'), 'utf8');
	const [comment = ''] = /\/\*\*\n[^/]*?\*\/(?=\nexport async function openPod)/u.exec(source) ?? [];
	return `${types}\n${comment}\nexport declare function openPod(options: OpenOptions): Promise<Opened>;\n`;
}

// dist/ does not depend on the place where it is built. It contains no paths of the machine.
async function refuseStrayText(directory, paths) {
	const stray = [
		...paths.filter(candidate => candidate.length > 5).map(candidate => candidate + path.sep),
		'react-devtools-core',
	];
	for (const name of await filesIn(directory)) {
		const text = await readFile(path.join(directory, name), 'utf8');
		const found = stray.find(candidate => text.includes(candidate));
		if (found !== undefined) throw new Error(`${name} contains ${JSON.stringify(found)}`);
	}
}

async function moveFiles(fresh, target) {
	const names = (await filesIn(fresh)).toSorted((left, right) => entries.indexOf(left) - entries.indexOf(right));
	for (const name of names) {
		await mkdir(path.dirname(path.join(target, name)), {recursive: true});
		await rename(path.join(fresh, name), path.join(target, name));
	}
	const obsolete = (await filesIn(target)).filter(name => !names.includes(name));
	for (const name of obsolete) await rm(path.join(target, name), {force: true});
}

const entries = ['library.js', 'app.js', 'inkpod.js'];

async function filesIn(directory) {
	const found = await readdir(directory, {recursive: true, withFileTypes: true});
	return found
		.filter(entry => entry.isFile())
		.map(entry => path.relative(directory, path.join(entry.parentPath, entry.name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	requireNode();
	try {
		await build();
	} catch (error) {
		process.stderr.write(`build: ${error.message}\n`);
		process.exitCode = 1;
	}
}
