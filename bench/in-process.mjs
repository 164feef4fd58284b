import {mkdir} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {rolldown} from 'rolldown';
import {projectRoot} from '../test/helpers/built.ts';

/**
Bundles a source file, which may reach .tsx files that Node does not read by itself, and imports it. As in the built
program, NODE_ENV is production.
*/
export async function importBundled(source) {
	const directory = path.join(projectRoot, 'node_modules/.cache', `inkpod-bench.${process.pid}`);
	await mkdir(directory, {recursive: true});
	const bundle = await rolldown({
		input: path.join(projectRoot, source),
		cwd: projectRoot,
		platform: 'node',
		external: id => !/^[./]/u.test(id),
		transform: {define: {'process.env.NODE_ENV': JSON.stringify('production')}},
	});
	const {
		output: [{fileName}],
	} = await bundle.write({dir: directory, format: 'esm'});
	await bundle.close();
	return import(pathToFileURL(path.join(directory, fileName)).href);
}
