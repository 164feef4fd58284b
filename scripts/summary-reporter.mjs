import {appendFileSync, existsSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {slowestTests} from './slowest-tests.mjs';

/** The programs of Debian packages that suites in test/system need. */
const systemPrograms = ['bwrap'];

function isOnPath(name) {
	return (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, name)));
}

/**
A vitest reporter. It prints the slowest tests, the tests that passed only at the second attempt, and a line
`N passed, N failed`. Errors outside of a test (a file that does not load, an unhandled rejection) count as failed. If
INKPOD_TEST_TALLY names a file, the counts are also appended to it, for scripts/tally.mjs.
*/
export default class SummaryReporter {
	onTestRunEnd(modules, unhandledErrors) {
		const tests = modules.flatMap(module => [...module.children.allTests()]);
		const count = state => tests.filter(test => test.result().state === state).length;
		const broken = modules.filter(module => module.errors().length > 0).length;
		const passed = count('passed');
		const failed = count('failed') + broken + unhandledErrors.length;
		const tally = process.env.INKPOD_TEST_TALLY;
		if (tally) appendFileSync(tally, `${JSON.stringify({passed, failed})}\n`);
		for (const test of tests.filter(test => test.diagnostic()?.flaky))
			process.stdout.write(`\npassed at a second try: ${test.module.moduleId} > ${test.fullName}`);
		const missing = systemPrograms.filter(name => !isOnPath(name));
		if (missing.length > 0)
			process.stdout.write(
				`\nnot run (test/system), because these programs are missing: ${missing.join(', ')}\n`,
			);
		process.stdout.write(`\n${slowestTests(tests)}${passed} passed, ${failed} failed\n`);
	}
}
