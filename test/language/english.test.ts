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
