import {afterEach, describe, expect, it, vi} from 'vitest';

afterEach(() => {
	vi.unstubAllEnvs();
	vi.resetModules();
});

describe.each(['en', 'ja', 'zh'])('a recorded text in %s', language => {
	it('is English, with its values', async () => {
		vi.stubEnv('INKPOD_LANGUAGE', language);
		vi.resetModules();
		const {en, enCount} = await import('../../src/language/index.ts');
		expect(en`it is larger than ${'2 MB'}`).toBe('it is larger than 2 MB');
		expect(en`A sentence that goes on
			in the next line: ${'stopped'}`).toBe('A sentence that goes on in the next line: stopped');
		expect([enCount(1, 'match', 'matches'), enCount(2, 'match', 'matches')]).toEqual(['1 match', '2 matches']);
	});
});

describe('a text that is both shown and recorded', () => {
	it('is in the language of the user and in English', async () => {
		vi.stubEnv('INKPOD_LANGUAGE', 'ja');
		vi.resetModules();
		const {told} = await import('../../src/language/index.ts');
		const {needsRegion} = await import('../../src/pod/config/texts.ts');
		expect(told(needsRegion)).toEqual({
			sentence: 'リージョンが必要です: 環境変数 AWS_REGION を設定してください',
			recorded: 'it needs a region: set AWS_REGION in the environment',
		});
	});
});
