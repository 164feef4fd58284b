import {execFileSync} from 'node:child_process';
import {rmSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {call, hooked, mode, played, resultsOf, tree} from '../helpers/played-batch.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';

/** L13: a folder may become a git directory after the decision about a call and before the call runs. */
describe('a file that git runs from outside .git', () => {
	const git = (project: TempProject, ...args: readonly string[]) =>
		void execFileSync('git', args, {cwd: project.dir, stdio: 'pipe'});
	const ways: Readonly<Record<string, readonly [path: string, make: (project: TempProject) => void]>> = {
		'a separate git directory': [
			'data/hooks/post-checkout',
			project => git(project, 'init', '-q', '--separate-git-dir=data'),
		],
		'a bare repository': ['data/config', project => git(project, 'init', '-q', '--bare', 'data')],
		'core.hooksPath': [
			'tools/pre-commit',
			project => {
				git(project, 'init', '-q');
				git(project, 'config', 'core.hooksPath', 'tools');
			},
		],
	};
	const cases = Object.entries(ways).flatMap(([name, [path, make]]) =>
		[true, false].flatMap(attended => [true, false].map(isBefore => ({name, path, make, attended, isBefore}))),
	);
	it.each(cases)(
		'needs approval: $name, exists before $isBefore, attended $attended',
		async ({path, make, attended, isBefore}) => {
			const project = await tempProject({'data/': '', 'tools/': ''});
			rmSync(project.path('data'), {recursive: true});
			if (isBefore) make(project);
			const batch = [call('write_file', {path: path.replace('config', 'config.worktree'), content: 'ours\n'})];
			const swap = () => isBefore || make(project);
			const {asked, ...told} = await played(project, {
				batch,
				swap,
				options: {attended, ...mode('accept-edits'), ...hooked},
			});
			expect(Object.values(await tree(project.dir))).not.toContain('ours\n');
			expect(asked.map(({title}) => title)).toEqual(
				attended ? [expect.stringContaining('executed by other programs')] : [],
			);
			expect(resultsOf(told)).toMatchObject([{isError: true}]);
		},
	);

	it.each(['allow', 'session', 'always'])('is written when the user chooses %s', async choice => {
		const project = await tempProject({
			'store/HEAD': 'ref: refs/heads/main\n',
			'store/objects/': '',
			'store/refs/': '',
		});
		const batch = [
			call('write_file', {path: 'store/hooks/a', content: 'a\n'}),
			call('write_file', {path: 'store/hooks/b', content: 'b\n'}),
		];
		const {asked, ...told} = await played(project, {batch, options: mode('accept-edits'), choose: () => choice});
		expect(asked).toHaveLength(2);
		expect(resultsOf(told).map(({isError}) => isError)).toEqual([false, false]);
	});
});
