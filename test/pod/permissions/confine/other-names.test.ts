import {link, rename, rm} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {otherNames} from '../../../../src/pod/permissions/confine/other-names.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

describe('the other names of files', () => {
	it('are found at any depth, and again when they change', async () => {
		const project = await tempProject({'.git/config': '', 'a/b/c/': '', 'd.txt': ''});
		const names = async () =>
			(await otherNames(project.dir, [project.path('.git/config'), project.path('d.txt'), project.path('none')]))
				.map(path => path.slice(project.dir.length + 1))
				.toSorted();
		expect(await names()).toEqual([]);
		await link(project.path('.git/config'), project.path('a/b/c/cfg'));
		expect(await names()).toEqual(['.git/config', 'a/b/c/cfg']);
		await rename(project.path('a/b'), project.path('a/x'));
		expect(await names()).toEqual(['.git/config', 'a/x/c/cfg']);
		await link(project.path('d.txt'), project.path('e.txt'));
		expect(await names()).toEqual(['.git/config', 'a/x/c/cfg', 'd.txt', 'e.txt']);
		await rm(project.path('a/x/c/cfg'));
		expect(await names()).toEqual(['d.txt', 'e.txt']);
	});
});
