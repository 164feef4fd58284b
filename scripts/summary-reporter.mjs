import {appendFileSync} from 'node:fs';

/**
A vitest reporter whose last word is `N passed, N failed` on a line of its own.
Before it, each test that passed at a second try is named: it is one to look at.
What failed outside of any test (a file that does not load, an unhandled rejection) counts as failed too.
With INKPOD_TEST_TALLY the counts are also appended to that file, for scripts/tally.mjs.
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
		process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
	}
}
