import {basename, dirname} from 'node:path';
import {describe, expect, it} from 'vitest';
import {isSecretFolder, looksSecret} from '../../../src/pod/scope/secret.ts';
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

describe('isSecretFolder', () => {
	const byPlace = secretPaths.filter(path => !looksSecret(basename(path)) && !/^\/(?:etc|proc|private)\//.test(path));

	it.each(byPlace)('knows a folder of %s, whose name alone is harmless', path => {
		expect(dirname(path.replaceAll('\\', '/')).split('/').some(isSecretFolder)).toBe(true);
	});

	it.each(['src', 'node_modules', 'packages', '.github', 'docs'])('does not know %s', name => {
		expect(isSecretFolder(name)).toBe(false);
	});
});
