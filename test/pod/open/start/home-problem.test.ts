import {chmod, mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {homeProblem, unwritableHome} from '../../../../src/pod/open/start/home-problem.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

describe('the folder of sessions', () => {
	it.each<[string, (home: string) => Promise<unknown>, string | undefined]>([
		['does not exist yet', async () => {}, undefined],
		['exists', async home => mkdir(join(home, 'sessions'), {recursive: true}), undefined],
		['is below a file', async home => writeFile(home, ''), '$HOME is not a folder.'],
		[
			'is a file',
			async home => mkdir(home).then(async () => writeFile(join(home, 'sessions'), '')),
			'$HOME/sessions is not a folder.',
		],
		['is a circular link', async home => symlink(home, home), '$HOME/sessions could not be read or written: ELOOP'],
	])('is reported when it cannot be read because it %s', async (_, make, expected) => {
		const project = await tempProject();
		const home = project.path('../state');
		await make(home);
		const problem = await homeProblem({INKPOD_HOME: home});
		if (expected === undefined) return expect(problem).toBeUndefined();
		expect(problem).toContain(`Sessions cannot be read: ${expected.replace('$HOME', home)}`);
		expect(problem).toMatch(/ Set INKPOD_HOME to a folder that you can read and write\.$/);
	});

	it.skipIf(process.getuid?.() === 0)('is reported when it is not readable', async () => {
		const project = await tempProject();
		const sessions = await project.mkdir('../state/sessions');
		await chmod(sessions, 0);
		expect(await homeProblem({INKPOD_HOME: project.path('../state')})).toContain(
			`Access to ${sessions} is not permitted.`,
		);
		await chmod(sessions, 0o700);
	});
});

describe('a folder in which sessions are saved', () => {
	it.skipIf(process.getuid?.() === 0)('is reported when nothing can be created in it', async () => {
		const project = await tempProject();
		const state = await project.mkdir('../state');
		const env = {INKPOD_HOME: state};
		expect(await unwritableHome(env)).toBeUndefined();
		await chmod(state, 0o500);
		expect(await unwritableHome(env)).toMatch(/^Sessions cannot be saved: .* Set INKPOD_HOME to a folder /);
		await chmod(state, 0o700);
	});

	it('may not exist yet', async () => {
		const project = await tempProject();
		expect(await unwritableHome({INKPOD_HOME: project.path('../a/b/c')})).toBeUndefined();
	});
});
