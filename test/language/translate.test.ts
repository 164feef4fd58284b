import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import * as english from '../../src/language/index.ts';

describe('a text in English', () => {
	it('is what the source says, with its values', () => {
		const {t} = english;
		expect(t`${2} of ${'three'}`).toBe('2 of three');
		expect(t`A long sentence that goes on
			in the next line, ${1}
			and in a third.`).toBe('A long sentence that goes on in the next line, 1 and in a third.');
		expect(t`two\nlines`).toBe('two\nlines');
	});

	it('counts one thing or several', () => {
		expect([english.tCount(1, 'line'), english.tCount(2, 'line'), english.tCount(0, 'match', 'matches')]).toEqual([
			'1 line',
			'2 lines',
			'0 matches',
		]);
	});
});

describe('a text in Japanese', () => {
	let japanese: typeof english;
	beforeEach(async () => {
		vi.stubEnv('INKPOD_LANGUAGE', 'ja');
		vi.resetModules();
		japanese = await import('../../src/language/index.ts');
	});
	afterEach(() => {
		vi.unstubAllEnvs();
		vi.resetModules();
	});

	it('has its values in the places of the translation, as they are', () => {
		const {t} = japanese;
		expect(japanese.language).toBe('ja');
		expect(t`There is no command /${'x {0} $& __proto__'}.`).toContain('/x {0} $& __proto__');
		expect(t`rows ${1}-${2} of ${3}`).toMatch(/1.*2.*3|3.*1.*2/);
	});

	it('has a value that is zero or empty', () => {
		const {t} = japanese;
		expect(t`rows ${0}-${0} of ${0}`).toMatch(/0.*0.*0/);
		expect(japanese.tCount(0, 'line')).toContain('0');
		expect(t`There is no command /${''}.`).not.toContain('{0}');
	});

	it('stays English when the catalogue does not have it', () => {
		const {t} = japanese;
		expect(t`toString`).toBe('toString');
		expect(japanese.translated('constructor')).toBe('constructor');
		expect(japanese.tCount(2, 'thing that nobody counts')).toBe('2 thing that nobody countss');
	});
});
