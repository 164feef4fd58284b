import {describe, expect, it} from 'vitest';
import {slowestTests} from '../../scripts/slowest-tests.mjs';

const test = (fullName: string, duration?: number) => ({
	fullName,
	module: {moduleId: '/p/test/a.test.ts'},
	diagnostic: () => (duration === undefined ? undefined : {duration}),
});

describe('the slowest tests', () => {
	it('are listed slowest first, with their file', () => {
		const tests = [test('one', 9.6), test('two', 1234.2), test('skipped'), test('three', 80)];
		expect(slowestTests(tests, {root: '/p', max: 3})).toBe(
			[
				'the 3 slowest of 4 tests:',
				'1234 ms  test/a.test.ts > two',
				'  80 ms  test/a.test.ts > three',
				'  10 ms  test/a.test.ts > one',
				'',
				'',
			].join('\n'),
		);
	});

	it('are not listed after a run of few tests', () => {
		expect(slowestTests([test('one', 5)], {root: '/p', max: 3})).toBe('');
	});
});
