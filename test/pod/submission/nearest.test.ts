import {expect, test} from 'vitest';
import {nearest, nearestPaths} from '../../../src/pod/submission/nearest.ts';
import {tempProject} from '../../helpers/temp-project.ts';

const names = ['src/main.ts', 'lib/main.ts', 'src/mail.ts', 'README.md', 'docs/readme-old.md', 'src/transcript/viewport.ts'];

test.each([
	['src/mian.ts', ['src/main.ts', 'lib/main.ts', 'src/mail.ts']],
	['main.ts', ['lib/main.ts', 'src/main.ts', 'src/mail.ts']],
	['readme.md', ['README.md', 'docs/readme-old.md']],
	['viewport', ['src/transcript/viewport.ts']],
	['zzzzzz.rs', []],
	['', []],
	['x'.repeat(100), []],
])('%s', (wanted, expected) => {
	expect(nearest(wanted, names)).toEqual(expected);
});

test('the files below pwd, without .git and node_modules', async () => {
	const project = await tempProject({'src/main.ts': '', 'node_modules/x/mian.ts': '', '.git/mian.ts': ''});
	expect(await nearestPaths(project.scope, './mian.ts')).toEqual(['src/main.ts']);
});

test('an aborted signal, an answer all the same', async () => {
	const project = await tempProject({'src/main.ts': ''});
	expect(await nearestPaths(project.scope, 'mian.ts', AbortSignal.abort())).toEqual(expect.any(Array));
});
