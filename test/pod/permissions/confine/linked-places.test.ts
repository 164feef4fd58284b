import {mkdir, symlink} from 'node:fs/promises';
import {dirname} from 'node:path';
import {expect, it} from 'vitest';
import {linkedPlaces} from '../../../../src/pod/permissions/confine/linked-places.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

it('are all of the project if there are too many entries to look at', async () => {
	const many = Object.fromEntries(Array.from({length: 60}, (_, n) => [`.vscode/deep/${n}`, '']));
	const project = await tempProject({...many, 'tools/run': '', '.hg/store/a': '', '.hg/store/b': ''});
	for (const name of ['.husky/pre-commit', '.hg/store/link']) {
		await mkdir(dirname(project.path(name)), {recursive: true});
		await symlink('../tools/run', project.path(name));
	}
	const placesOf = (max: number) => [
		...linkedPlaces(
			project.dir,
			['.husky', '.vscode', '.hg'].map(name => project.path(name)),
			max,
		).places,
	];
	expect(placesOf(100)).toEqual([project.path('tools/run')]);
	expect(placesOf(50)).toEqual([project.dir]);
});
