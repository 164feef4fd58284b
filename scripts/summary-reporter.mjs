import {appendFileSync} from 'node:fs';
import {slowestTests} from './slowest-tests.mjs';

/**
A vitest reporter that ends with the slowest tests and a line `N passed, N failed`. It names each test that passed at a
second try. Errors outside of a test (a file that does not load, an unhandled rejection) count as failed. With
INKPOD_TEST_TALLY the counts are also appended to that file, for scripts/tally.mjs.
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
		process.stdout.write(`\n${slowestTests(tests)}${passed} passed, ${failed} failed\n`);
	}
}
