import {describe, expect, it} from 'vitest';
import {nearest, nearestPaths} from '../../../../src/pod/references/submission/nearest.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const names = [
	'src/main.ts',
	'lib/main.ts',
	'src/mail.ts',
	'README.md',
	'docs/readme-old.md',
	'src/transcript/viewport.ts',
];

describe('similar names', () => {
	it.each([
		['src/mian.ts', ['src/main.ts', 'lib/main.ts', 'src/mail.ts']],
		['main.ts', ['lib/main.ts', 'src/main.ts', 'src/mail.ts']],
		['readme.md', ['README.md', 'docs/readme-old.md']],
		['viewport', ['src/transcript/viewport.ts']],
		['zzzzzz.rs', []],
		['', []],
		['x'.repeat(100), []],
	])('are found for %s', (wanted, expected) => {
		expect(nearest(wanted, names)).toEqual(expected);
	});

	it('belong to files in the working directory, outside .git and node_modules', async () => {
		const project = await tempProject({'src/main.ts': '', 'node_modules/x/mian.ts': '', '.git/mian.ts': ''});
		expect(await nearestPaths(project.scope, './mian.ts')).toEqual(['src/main.ts']);
	});

	it('are an empty list for an aborted signal', async () => {
		const project = await tempProject({'src/main.ts': ''});
		expect(await nearestPaths(project.scope, 'mian.ts', AbortSignal.abort())).toEqual(expect.any(Array));
	});

	it('are found in a large tree while timers run', async () => {
		const project = await tempProject(
			Object.fromEntries(Array.from({length: 1500}, (_, index) => [`src/component-${index}.tsx`, ''])),
		);
		await project.write('a/first.rs', '');
		await project.write('z/frist-one.rs', '');
		let beats = 0;
		const beat = setInterval(() => (beats += 1), 1);
		expect(await nearestPaths(project.scope, 'fisrt.rs')).toEqual(['a/first.rs']);
		clearInterval(beat);
		expect(beats).toBeGreaterThan(0);
		expect(await nearestPaths(project.scope, 'src/component-1234.txs')).toContain('src/component-1234.tsx');
	});
});
