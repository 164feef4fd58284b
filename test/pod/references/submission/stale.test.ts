import {createHash} from 'node:crypto';
import {mkdir, readFile, rm, stat, utimes} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {createStaleCheck, maxAsked} from '../../../../src/pod/references/submission/stale.ts';
import {createItems} from '../../../helpers/items.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

/** Creates an item that shows the current file. */
async function seen(project: TempProject, path: string, kind: 'file' | 'auto_read' = 'file'): Promise<Item> {
	const bytes = await readFile(project.path(path));
	const {mtimeMs} = await stat(project.path(path));
	const extra = kind === 'auto_read' ? {compaction: 'c'} : {};
	return createItems(`${kind} ${path} `).system('', {
		kind,
		path,
		bytes: bytes.length,
		totalBytes: bytes.length,
		lines: 1,
		truncated: false,
		sha256: createHash('sha256').update(bytes).digest('hex'),
		mtimeMs,
		...extra,
	});
}

async function ask(project: TempProject, items: readonly Item[]) {
	return createStaleCheck({items: () => items, scope: project.scope})(items.map(({id}) => id));
}

/** Changes the modification time of a file. */
async function touch(path: string): Promise<void> {
	await utimes(path, new Date(1e12), new Date(1e12));
}

describe('a file that a model saw', () => {
	it.each([
		['is unchanged', async () => {}, 'same'],
		['was only touched', async (path: string) => touch(path), 'same'],
		[
			'has another size',
			async (_: string, project: TempProject) => project.write('a.txt', 'longer than before'),
			'changed',
		],
		[
			'has other bytes and the same size',
			async (_: string, project: TempProject) => {
				await project.write('a.txt', 'two');
				await touch(project.path('a.txt'));
			},
			'changed',
		],
		[
			'is not text any more',
			async (_: string, project: TempProject) => {
				await project.write('a.txt', Buffer.from([0, 1, 2]));
				await touch(project.path('a.txt'));
			},
			'changed',
		],
		['was deleted', async (path: string) => rm(path), 'gone'],
		[
			'is a directory now',
			async (path: string) => {
				await rm(path);
				await mkdir(path);
			},
			'changed',
		],
		[
			'leads out of the scope now',
			async (path: string, project: TempProject) => {
				await rm(path);
				await project.write('../outside', 'one');
				await project.link('a.txt', '../outside');
			},
			'unknown',
		],
	])('has its state when it %s', async (_name, change, state) => {
		const project = await tempProject({'a.txt': 'one'});
		const items = [await seen(project, 'a.txt'), await seen(project, 'a.txt', 'auto_read')];
		await change(project.path('a.txt'), project);
		expect((await ask(project, items)).map(each => each.state)).toEqual([state, state]);
	});

	it('has its state when it looks like a secret, because it was shown', async () => {
		const project = await tempProject({'.env': 'KEY=1'});
		const items = [await seen(project, '.env')];
		await touch(project.path('.env'));
		expect(await ask(project, items)).toMatchObject([{state: 'same'}]);
	});
});

describe('the states of files', () => {
	it('leave out other items, and files beyond the maximum', async () => {
		const project = await tempProject({'a.txt': 'one'});
		const make = createItems();
		const file = await seen(project, 'a.txt');
		expect(await ask(project, [make.user('u'), make.system('s'), file])).toEqual([{id: file.id, state: 'same'}]);
		const many = Array.from({length: maxAsked + 50}, (_, index) => ({...file, id: `i${index}`}));
		expect(await ask(project, many)).toHaveLength(maxAsked);
	});

	it('are unknown for a broken origin', async () => {
		const project = await tempProject({'a.txt': 'one'});
		expect(await ask(project, [createItems().system('', {kind: 'file', path: 7})])).toEqual([]);
	});
});
