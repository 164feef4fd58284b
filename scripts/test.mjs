// Runs all tests, and checks the types and the lint at the same time, because tests often wait for a process and leave
// a core free.
// `npm test` checks the format and builds the program first.
import {spawn} from 'node:child_process';
import {runStep} from './run-step.mjs';

const passed = await Promise.all([runTests(), checkSources()]);
process.exitCode = passed.every(Boolean) ? 0 : 1;

function runTests() {
	const child = spawn('vitest', ['run', ...process.argv.slice(2)], {stdio: 'inherit'});
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', status => resolve(status === 0));
	});
}

async function checkSources() {
	const hasTypes = await runStep('types', 'npm', ['run', '--silent', 'types']);
	return (await runStep('lint', 'npm', ['run', '--silent', 'lint'])) && hasTypes;
}
