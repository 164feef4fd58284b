import {readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {patches, patchPlugin} from './patches.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/u, '');

/**
Bundles the program and everything it imports into `directory`: app.js and the chunks that it loads later.
Gives the output's chunks. Rejects on a warning about our own sources, and on an import that does not resolve.
*/
export async function bundle({directory, minify, sourcemap}) {
	const {rolldown} = await import('rolldown');
	const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
	const build = await rolldown({
		input: {app: path.join(root, 'src/main.tsx')},
		cwd: root,
		platform: 'node',
		transform: {target: 'node22.19', define: {'process.env.NODE_ENV': JSON.stringify('production')}},
		plugins: [patchPlugin([...patches, versionPatch(version)])],
		onLog: failOnWarning,
	});
	try {
		const {output} = await build.write({
			dir: directory,
			format: 'esm',
			minify,
			sourcemap,
			comments: minify ? {legal: false, annotation: false, jsdoc: false} : true,
			entryFileNames: '[name].js',
			chunkFileNames: 'chunks/[name]-[hash].js',
		});
		return output.filter(file => file.type === 'chunk');
	} finally {
		await build.close();
	}
}

// Not a define: that replaces only the global process, not an imported one.
function versionPatch(version) {
	return {name: 'the version', file: 'src/main.tsx', changes: [{find: "process.env['INKPOD_VERSION']", replace: JSON.stringify(version)}]};
}

// An import that does not resolve would else be left in the output as an external one, and fail on the person's machine.
function failOnWarning(level, log, handler) {
	if (level !== 'warn') return;
	if (isOurs(log) || log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
	handler(level, log);
}

function isOurs(log) {
	return !(log.id ?? log.message ?? '').includes('node_modules');
}
