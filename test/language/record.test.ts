import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import * as english from '../../src/language/index.ts';
import {formsOf, translateWith} from '../../src/language/record.ts';

describe('a recorded text', () => {
	it('is English, with its values', () => {
		const {en, enCount, nested} = english;
		expect(en`it is larger than ${'2 MB'}`).toBe('it is larger than 2 MB');
		expect(en`A sentence that goes on
			in the next line: ${nested(en`stopped`)}`).toBe('A sentence that goes on in the next line: stopped');
		expect([enCount(1, 'match', 'matches'), enCount(2, 'match', 'matches')]).toEqual(['1 match', '2 matches']);
	});

	it('is drawn as it is in English', () => {
		expect(english.inLanguage('it was closed')).toBe('it was closed');
	});
});

describe('a recorded text in Japanese', () => {
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

	it('is stored in English', () => {
		const {en, enCount} = japanese;
		expect(en`the name ${'a.test'} was not found`).toBe('the name a.test was not found');
		expect(enCount(2, 'line')).toBe('2 lines');
	});

	it.each([
		'12 lines',
		'lines 1-20 of 300',
		'new file, 2 lines',
		'2 edits in 3 places',
		'10 of 200 matches in 3 files',
		'5 of at least 100 files',
		'no matches',
		'1 of 2 answered',
		'timed out after 1.5 s and was stopped',
		'finished',
		'[Interrupted by user]',
		'The page was not fetched: the range does not fit: the text has only 5 bytes.',
		'The child session was not started. The child session waits until another one has ended.',
	])('of inkpod is drawn in Japanese: %s', text => {
		expect(japanese.inLanguage(text)).not.toMatch(/[a-z]{3}/);
	});

	it('keeps the values that others wrote, even if they are words of inkpod', () => {
		expect(japanese.inLanguage('1 of 3 · now: no matches')).toMatch(/no matches$/);
		expect(japanese.inLanguage('there is no folder it was closed')).toContain('it was closed');
		expect(japanese.inLanguage('The child session failed: Boom, {1} $& went the lexer')).toContain(
			'Boom, {1} $& went the lexer',
		);
	});

	it('is drawn sentence by sentence and line by line, and in brackets', () => {
		const two = japanese.inLanguage('The diff is too large. Nothing else is known.\n[no output]\nfoo');
		expect(two).toMatch(/^差分が大きすぎます。.*Nothing else is known\.\n\[出力なし\]\nfoo$/);
	});

	it.each([
		'The server said no.',
		'lines of text',
		'a.ts: b in c',
		'x of y',
		'constructor',
		'',
		`no matches ${'x'.repeat(5000)}`,
	])('of others stays as it is: %.40s', text => {
		expect(japanese.inLanguage(text)).toBe(text);
	});

	it('is drawn in time, whatever it contains', () => {
		const since = performance.now();
		for (const text of [': '.repeat(1900), '. '.repeat(1900), '[]\n'.repeat(1300), 'a (b) '.repeat(600)])
			expect(japanese.inLanguage(text)).toHaveLength(text.length);
		expect(performance.now() - since).toBeLessThan(2000);
	});
});

describe('translateWith', () => {
	const forms = formsOf({
		'{0} of {1*}': '{1} 中 {0}',
		'{0} files': '{0} 個',
		'it failed: {0*}.': '失敗: {0}。',
		'please set {0}, or {1}': '{0} か {1} を設定',
		'{0*}: {1}': '{0}: {1}',
		'too large.': '大きすぎます。',
	});

	it.each([
		['3 of 5 files', '5 個 中 3'],
		['3 of 5 dogs', '3 of 5 dogs'],
		['five files', 'five files'],
		['5 files: a', '5 個: a'],
		['a: 5 files', 'a: 5 files'],
		['it failed: 5 files.', '失敗: 5 個。'],
		['it failed: too large.', '失敗: 大きすぎます。'],
		['it failed: ENOENT.', '失敗: ENOENT。'],
		['it failed: please set A, or B.', '失敗: A か B を設定。'],
	])('draws %s as %s', (text, drawn) => {
		expect(translateWith(forms, text)).toBe(drawn);
	});
});
