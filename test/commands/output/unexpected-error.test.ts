import {expect, test} from 'vitest';
import {unexpectedErrorText} from '../../../src/commands/output/unexpected-error.ts';

test('an error that nobody expected, one inert line; for who looks for it, where it happened', () => {
	const error = new Error('lost \u001b[31m\nit');
	expect(unexpectedErrorText(error, {})).toBe(
		'Unexpected error: lost ␛[31m␊it. With INKPOD_DEBUG=1 inkpod says where it happened.',
	);
	expect(unexpectedErrorText('no error', {})).toContain('no error.');
	expect(unexpectedErrorText(error, {INKPOD_DEBUG: '1'})).toMatch(
		/^Error: lost ␛\[31m\nit\n {4}at .*unexpected-error\.test/,
	);
});
