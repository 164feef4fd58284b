import {copyFile, stat, utimes} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {listEffects} from '../../../../src/pod/permissions/confine/effects.ts';
import {withoutUnchanged} from '../../../../src/pod/permissions/confine/unchanged-files.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

describe('the files that a command opened for writing', () => {
	it('are no changes if their contents, time and permissions stay the same', async () => {
		const names = ['same.txt', 'touched.txt', 'written.txt'];
		const project = await tempProject(
			Object.fromEntries([
				...names.map(name => [`real/${name}`, 'one'] as const),
				['upper/', ''],
				['upper/new.txt', ''],
			]),
		);
		for (const name of names) {
			await copyFile(project.path(`real/${name}`), project.path(`upper/${name}`));
			const {atime, mtime} = await stat(project.path(`real/${name}`));
			await utimes(project.path(`upper/${name}`), atime, mtime);
			await utimes(project.path(`real/${name}`), atime, mtime);
		}
		const {atime, mtime} = await stat(project.path('real/written.txt'));
		await project.write('upper/written.txt', 'two');
		await utimes(project.path('upper/written.txt'), atime, mtime);
		await utimes(project.path('upper/touched.txt'), 1, 1);
		const layer = {
			path: project.path('real'),
			upper: project.path('upper'),
			merged: project.path('real'),
			since: 0,
			known: new Map<string, string>(),
			index: '',
		};
		const listed = await listEffects(layer);
		const {effects} = await withoutUnchanged(layer, listed!);
		expect(effects.map(({path}) => path).toSorted()).toEqual(['new.txt', 'touched.txt', 'written.txt']);
	});
});
