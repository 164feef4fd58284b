import {describe, expect, it} from 'vitest';
import {shownSummary, translateSummary} from '../../../../../src/tui/transcript/rows/parts/summary.ts';

const summaries = [
	'12 lines',
	'1 line',
	'lines 1-20 of 300',
	'new file, 2 lines',
	'overwritten, 1 line',
	'2 edits in 3 places',
	'10 of 200 matches in 3 files',
	'5 of at least 100 files',
	'no matches',
	'1 of 2 answered',
	'1 of 3 · now: write the lexer',
	'timed out after 1.5 s and was stopped',
	'running in background (b1)',
	'finished',
	'exit code 1',
	'The server said no.',
];

describe('the summary of a result', () => {
	it.each(summaries)('is in English as it is stored: %s', summary => {
		expect(shownSummary(summary)).toBe(summary);
		expect(translateSummary(summary)).toBe(summary);
	});
});
