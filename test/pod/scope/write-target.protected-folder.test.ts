import {mkdir, symlink} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {isInProtectedFolder} from '../../../src/pod/scope/write-target.ts';
import {tempProject} from '../../helpers/temp-project.ts';

describe('isInProtectedFolder', () => {
	it('finds a folder through a link to its parent, even if the folder does not exist yet', async () => {
		const project = await tempProject({'dot/': '', '../home/': ''});
		await symlink(project.path('dot'), project.path('../home/.config'));
		expect(
			await isInProtectedFolder(project.path('../home/.config/inkpod'), project.path('dot/inkpod/config.toml')),
		).toBe(true);
		expect(
			await isInProtectedFolder(project.path('../home/.config/inkpod'), project.path('dot/other/config.toml')),
		).toBe(false);
	});

	it('finds a folder through a home folder that is a link', async () => {
		const project = await tempProject({'a.txt': ''});
		await symlink(project.dir, project.path('../home'));
		expect(
			await isInProtectedFolder(project.path('../home/.config/inkpod'), project.path('.config/inkpod/mcp.json')),
		).toBe(true);
		expect(await isInProtectedFolder(project.path('../home/.config/inkpod'), project.path('a.txt'))).toBe(false);
	});

	it.each(['config.toml', 'mcp.json', 'workflows/a.md', 'workflows/deep/a.md'])(
		'protects the target of the link %s',
		async name => {
			const project = await tempProject({'mine/file': '', 'mine/other': '', '../config/workflows/deep/': ''});
			await symlink(project.path('mine/file'), project.path(`../config/${name}`));
			expect(await isInProtectedFolder(project.path('../config'), project.path('mine/file'))).toBe(true);
			expect(await isInProtectedFolder(project.path('../config'), project.path('mine/other'))).toBe(false);
		},
	);

	it('protects a linked folder with everything in it', async () => {
		const project = await tempProject({'mine/deep/file': ''});
		await mkdir(project.path('../config'));
		await symlink(project.path('mine'), project.path('../config/workflows'));
		expect(await isInProtectedFolder(project.path('../config'), project.path('mine/deep/file'))).toBe(true);
	});

	it('does not protect the project, to which the trial of a layer links (confinement.ts)', async () => {
		const project = await tempProject({'a.txt': '', '../state/cells-trial/id/cell/': ''});
		await symlink(project.dir, project.path('../state/cells-trial/id/cell/lower0-1'));
		expect(await isInProtectedFolder(project.path('../state'), project.path('a.txt'))).toBe(false);
	});

	it('protects nothing if the folder does not exist', async () => {
		const project = await tempProject({'a.txt': ''});
		expect(await isInProtectedFolder(project.path('../none'), project.path('a.txt'))).toBe(false);
	});
});
