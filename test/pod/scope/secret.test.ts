import {describe, expect, it} from 'vitest';
import {looksSecret} from '../../../src/pod/scope/secret.ts';
import {ordinaryPaths} from './ordinary-paths.ts';
import {secretPaths} from './secret-paths.ts';

describe('looksSecret', () => {
	it.each([...secretPaths])('is true for %s', path => {
		expect(looksSecret(path)).toBe(true);
	});

	it.each([...ordinaryPaths])('is false for %s', path => {
		expect(looksSecret(path)).toBe(false);
	});
});
