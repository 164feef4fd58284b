import {chmod} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {findPager, pagerSentence} from '../../../src/screen/terminal/program.ts';
import {programsIn} from '../../helpers/programs.ts';
import {tempProject} from '../../helpers/temp-project.ts';

/** Returns a folder with programs of these names. */
async function installed(...names: readonly string[]) {
	const project = await tempProject();
	for (const name of names) await chmod(await project.write(`bin/${name}`, '#!/bin/sh\n'), 0o755);
	return {bin: project.path('bin'), path: (name: string) => project.path(`bin/${name}`)};
}

const controls = 'a\u001b[31mb';

describe('the pager of a text', () => {
	it('is less by default, without any environment that lets controls through', async () => {
		const {bin, path} = await installed('less', 'more');
		const pager = await findPager(
			programsIn({PATH: bin, LESS: '-R', LESSOPEN: '|x %s', LESSCHARSET: 'dos', HOME: '/h'}),
			controls,
		);
		expect(pager).toEqual({
			program: [path('less'), '-+R', '-+r', '-+F', '-+E', '-+e'],
			env: {PATH: bin, HOME: '/h', LESSUTFCHARDEF: expect.any(String) as string},
		});
	});

	it("is the user's less, without options that let controls through", async () => {
		const {bin, path} = await installed('less');
		expect(await findPager(programsIn({PATH: bin, PAGER: 'less -FR -S'}), controls)).toMatchObject({
			program: [path('less'), '-FR', '-S', '-+R', '-+r', '-+F', '-+E', '-+e'],
		});
	});

	it("is the user's own pager for a text without controls", async () => {
		const {bin, path} = await installed('my pager');
		expect(
			await findPager(programsIn({PATH: bin, PAGER: `'my pager' -x`}), 'tab\tand newline\n日本'),
		).toMatchObject({program: [path('my pager'), '-x']});
	});

	it.each([
		['an escape', controls],
		['a C1 control', 'a\u009b31m'],
		['a carriage return', 'a\rb'],
		['a bidi override', 'a\u202eb'],
	])('gets no text with %s when it is not less: less is used instead, or no pager', async (_name, text) => {
		const {bin, path} = await installed('less', 'bat');
		const {bin: alone, path: only} = await installed('bat');
		expect(await findPager(programsIn({PATH: bin, PAGER: 'bat -p'}), text)).toMatchObject({
			program: [path('less'), '-+R', '-+r', '-+F', '-+E', '-+e'],
			instead: path('bat'),
		});
		const none = await findPager(programsIn({PATH: alone, PAGER: 'bat -p'}), text);
		expect(none).toEqual({reason: 'raw', program: only('bat')});
		expect('reason' in none && pagerSentence(none)).toContain('Install less');
	});

	it.each([
		['without a pager', {PATH: '/nowhere'}, 'none'],
		['with a missing pager', {PATH: '/nowhere', PAGER: 'bat'}, 'not_found'],
		['with an open quote', {PAGER: `'less`}, 'quotes'],
		['with a blank setting', {PAGER: '  ', PATH: ''}, 'none'],
	])('is missing for a reason: %s', async (_name, env, reason) => {
		expect(await findPager(programsIn(env), 'x')).toMatchObject({reason});
	});
});
