import {mkdir} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {rolldown} from 'rolldown';
import {projectRoot} from '../test/helpers/built.ts';

/**
Bundles a source file and imports it. The source may import .tsx files, which Node cannot read. NODE_ENV is production,
as in the built program.
*/
export async function importBundled(source) {
	return import(await bundled(source));
}

/** Bundles a source file. Returns the address of the bundle. */
export async function bundled(source) {
	const directory = path.join(projectRoot, 'node_modules/.cache', `inkpod-bench.${process.pid}`);
	await mkdir(directory, {recursive: true});
	const bundle = await rolldown({
		input: path.join(projectRoot, source),
		cwd: projectRoot,
		platform: 'node',
		logLevel: 'silent',
		external: id => !/^[./]/u.test(id),
		transform: {define: {'process.env.NODE_ENV': JSON.stringify('production')}},
	});
	const {
		output: [{fileName}],
	} = await bundle.write({dir: directory, format: 'esm'});
	await bundle.close();
	return pathToFileURL(path.join(directory, fileName)).href;
}
