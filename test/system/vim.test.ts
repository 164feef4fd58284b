import {describe, expect, it} from 'vitest';
import {findProgram} from '../../src/pod/platform/programs.ts';
import {markedResult} from '../helpers/vim-keys.ts';
import {runVim, vimCases} from '../helpers/vim.ts';

/** Needs the package vim. */
const vim = findProgram('vim', process.env['PATH']);

describe.skipIf(vim === undefined)('the stored results of vim', () => {
	it('are those of the vim of this machine', async () => {
		const cases = Object.values(vimCases).flat();
		expect(cases.length).toBeGreaterThan(400);
		const results = (await runVim(vim!, cases)).map(markedResult);
		expect(cases.map(([text, keys], index) => [text, keys, results[index]])).toEqual(cases);
	});
});
