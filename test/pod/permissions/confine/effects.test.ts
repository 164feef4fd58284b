import {mkdir, symlink} from 'node:fs/promises';
import {expect, it} from 'vitest';
import {layerPath, realNames} from '../../../../src/pod/permissions/confine/effects.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

it('names nothing of a folder outside if a link took the place of a folder', async () => {
	const project = await tempProject({'p/a/b/c': '', 'outside/b/secret': ''});
	await symlink('../outside', project.path('p/link'));
	await symlink(project.path('outside/b'), project.path('p/a/link'));
	await mkdir(project.path('p/empty'));
	const layer = {path: layerPath(project.path('p')), upper: '', merged: '', since: 0, known: new Map(), index: ''};
	const names = ['', 'a/b', 'empty', 'link', 'link/b', 'a/link', 'missing'].map(path => realNames(layer, path));
	expect(names.map(found => found?.toSorted())).toEqual([
		['a', 'empty', 'link'],
		['c'],
		[],
		undefined,
		undefined,
		undefined,
		undefined,
	]);
});
