import {describe, expect, it} from 'vitest';
import {unexpectedErrorText} from '../../../src/cli/output/unexpected-error.ts';

describe('unexpectedErrorText', () => {
	it('returns one inert line, and the stack with INKPOD_DEBUG=1', () => {
		const error = new Error('lost \u001b[31m\nit');
		expect(unexpectedErrorText(error, {})).toBe(
			'Unexpected error: lost ␛[31m␊it. Set INKPOD_DEBUG=1 for a stack trace.',
		);
		expect(unexpectedErrorText('no error', {})).toContain('no error.');
		expect(unexpectedErrorText(error, {INKPOD_DEBUG: '1'})).toMatch(
			/^Error: lost ␛\[31m\nit\n {4}at .*unexpected-error\.test/,
		);
	});
});
