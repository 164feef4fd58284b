// Runs inkpod from its sources: bundles them, readable and with source maps, and starts the result with the given
// arguments.
import {spawn} from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import {requireNode} from './node-version.mjs';

requireNode();
const {bundle, root} = await import('./bundle.mjs');
const directory = path.join(root, 'node_modules/.cache/inkpod-dev');

try {
	await bundle({directory, minify: false, sourcemap: true});
	run(process.argv.slice(2));
} catch (error) {
	process.stderr.write(`dev: ${error.message}\n`);
	process.exitCode = 1;
}

function run(args) {
	const child = spawn(process.execPath, ['--enable-source-maps', path.join(directory, 'app.js'), ...args], {
		stdio: 'inherit',
	});
	// The terminal sends these signals to the child too. The child decides how to react.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
	child.on('exit', (code, signal) => {
		process.exitCode = code ?? 128 + os.constants.signals[signal];
	});
}
