import {mkdir, readdir, utimes, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {realFiles} from '../../../../src/pod/disk/files.ts';
import {takeLock} from '../../../../src/pod/disk/log/lock.ts';
import {removeUnfinished} from '../../../../src/pod/disk/list/remove-unfinished.ts';
import {storedSession, tempHome, user} from '../fixture.ts';

describe('the clean-up of a project’s folder', () => {
	it('removes folders that killed processes left, but not those of live ones, nor other files', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const project = dirname(dir);
		const dead = JSON.stringify({pid: 1, processStart: 'never', bootId: 'another', host: hostname()});
		const made = async (letter: string, files: Readonly<Record<string, string>>) => {
			const folder = join(project, `01JD8XK3Q2ABCDEFGHJKMNPQR${letter}`);
			await mkdir(folder);
			for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
			return folder;
		};
		const killed = await made('A', {
			'history.json.new': '{"format"',
			lock: dead,
			'lock.01JD8XK3Q2ABCDEFGHJKMNPQRS': '{}',
		});
		const empty = await made('B', {});
		const live = await made('C', {});
		const young = await made('D', {lock: dead});
		const other = await made('E', {lock: dead, 'notes.txt': 'mine'});
		const locked = await takeLock(live, realFiles);
		for (const folder of [killed, empty, live, other]) await utimes(folder, 1000, 1000);
		await removeUnfinished(project);
		expect((await readdir(project)).toSorted()).toEqual(
			[dir, live, young, other].map(path => path.slice(project.length + 1)).toSorted(),
		);
		expect(await readdir(live)).toEqual(['lock']);
		expect(await readdir(dir)).toEqual(['history.json']);
		expect(await readdir(other)).toEqual(['notes.txt']);
		await removeUnfinished(join(home.root, 'none'));
		if (locked.ok) await locked.lock.release();
	});
});
