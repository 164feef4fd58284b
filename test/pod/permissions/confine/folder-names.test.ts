import {utimesSync} from 'node:fs';
import {rename, rm, symlink, writeFile} from 'node:fs/promises';
import {expect, it} from 'vitest';
import {folderNames} from '../../../../src/pod/permissions/confine/folder-names.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

it('sees at once what was added, removed and renamed in a folder, and another folder in its place', async () => {
	const project = await tempProject({'bin/a': '', 'other/x': ''});
	const path = (name: string) => project.path(name);
	const names = () => [...folderNames(path('bin'))].toSorted();
	expect(names()).toEqual(['a']);
	await writeFile(path('bin/b'), '');
	await symlink('/nowhere', path('bin/c'));
	expect(names()).toEqual(['a', 'b', 'c']);
	await rm(path('bin/a'));
	await rename(path('bin/b'), path('bin/d'));
	utimesSync(path('bin'), 1, 1);
	expect(names()).toEqual(['c', 'd']);
	await rename(path('bin'), path('old'));
	await rename(path('other'), path('bin'));
	expect(names()).toEqual(['x']);
});

it('is empty for what is not a folder', async () => {
	const project = await tempProject({file: ''});
	expect([folderNames(project.path('file')).size, folderNames(project.path('missing')).size]).toEqual([0, 0]);
});
