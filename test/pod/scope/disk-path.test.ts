import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {openDir} from '../../../src/pod/scope/disk-path.ts';
import {tempProject} from '../../helpers/temp-project.ts';

describe('openDir', () => {
	it('lists all kinds of entries, directories first, then by name', async () => {
		const project = await tempProject({'b.txt': '', 'a.txt': '', 'z/': '', 'Y/': '', '.hidden': ''});
		await project.link('link', 'z');
		await promisify(execFile)('mkfifo', [project.path('pipe')]);
		expect(await openDir(project.scope, '.')).toEqual({
			ok: true,
			real: project.dir,
			total: 7,
			entries: [
				{name: 'Y', kind: 'directory'},
				{name: 'z', kind: 'directory'},
				{name: '.hidden', kind: 'file'},
				{name: 'a.txt', kind: 'file'},
				{name: 'b.txt', kind: 'file'},
				{name: 'link', kind: 'symlink'},
				{name: 'pipe', kind: 'other'},
			],
		});
	});

	it('returns the first entries up to the limit and counts all', async () => {
		const names = Array.from({length: 50}, (_, index) => `f${String(index).padStart(2, '0')}`);
		const project = await tempProject({
			...Object.fromEntries(names.map(name => [`dir/${name}`, ''])),
			'dir/zz/': '',
		});
		const dir = await openDir(project.scope, 'dir', {limit: 5});
		expect(dir).toMatchObject({ok: true, total: 51});
		if (dir.ok) expect(dir.entries.map(entry => entry.name)).toEqual(['zz', 'f00', 'f01', 'f02', 'f03']);
	});

	it.each([
		['..', 'out_of_scope'],
		['../missing', 'out_of_scope'],
		['out', 'out_of_scope'],
		['missing', 'not_found'],
		['file', 'not_a_directory'],
		['file/x', 'not_found'],
		['nul\0', 'not_found'],
	])('answers for %s: %s', async (path, reason) => {
		const project = await tempProject({file: ''});
		await project.link('out', '..');
		expect(await openDir(project.scope, path)).toMatchObject({ok: false, reason});
	});

	it('stops if the signal is aborted', async () => {
		const project = await tempProject({file: ''});
		expect(await openDir(project.scope, '.', {signal: AbortSignal.abort()})).toEqual({
			ok: false,
			reason: 'aborted',
		});
	});
});
