import {afterEach, expect, it, vi} from 'vitest';

afterEach(() => {
	vi.unstubAllEnvs();
	vi.resetModules();
});

it.each(['ja', 'zh'])(
	'a stored summary is shown in its parts in %s, unless inkpod did not write it',
	async language => {
		vi.stubEnv('INKPOD_LANGUAGE', language);
		vi.resetModules();
		const {shownSummary} = await import('../../src/tui/transcript/rows/parts/summary.ts');
		const own = [
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
		];
		for (const summary of own) expect(shownSummary(summary)).not.toMatch(/[a-z]{3}/);
		expect(shownSummary('1 of 3 · now: write the lexer')).toMatch(/write the lexer$/);
		for (const summary of ['The server said no.', 'lines of text']) expect(shownSummary(summary)).toBe(summary);
	},
);
