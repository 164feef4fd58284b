import {spawn} from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

/**
Runs a program of a package as a step of a check. Prints how long it took, and its output if it fails. Resolves with
true if the program succeeds.
*/
export function runStep(name, program, args) {
	const start = Date.now();
	const bin = path.join(root, 'node_modules/.bin');
	const env = {...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}`};
	const child = spawn(program, args, {cwd: root, env, stdio: ['ignore', 'pipe', 'pipe']});
	const chunks = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => chunks.push(chunk));
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', status => {
			const seconds = ((Date.now() - start) / 1000).toFixed(0);
			process.stdout.write(`check: ${name} ${status === 0 ? 'passed' : 'failed'} (${seconds} s)\n`);
			if (status !== 0) process.stdout.write(Buffer.concat(chunks));
			resolve(status === 0);
		});
	});
}
