import {chmod, mkdir, readFile, rm, stat, symlink, unlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createFileRestore, type FileRestore} from '../../../../src/pod/run/rewind/rewind-methods.ts';
import {backupsDir} from '../../../../src/pod/disk/bodies/pasted.ts';
import {createHistory, memoryLog, stamp, type Item} from '../../../../src/worker/index.ts';
import {countedClock} from '../../../helpers/clock.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {fileTools, sha256, type FileTools} from '../../tools/files/file-tools.ts';

type Made = {
	readonly project: TempProject;
	readonly tools: FileTools;
	readonly items: Item[];
	readonly restoring: FileRestore;
	/** Restores every file that is not lost to the shown contents. */ readonly all: (
		to?: string,
	) => ReturnType<FileRestore['restore']>;
	readonly text: (name: string) => Promise<string>;
};

/** Creates a project and its tools. The first item is the point to rewind to. */
async function made(
	files: Readonly<Record<string, string | Uint8Array>> = {},
	scope?: TempProject['scope'],
): Promise<Made> {
	const project = await tempProject(files);
	const clock = countedClock('n');
	const history = createHistory(memoryLog, [stamp(clock, {type: 'run_end', outcome: 'finished'}, 'start')]);
	const items = history.items as Item[];
	const tools = fileTools(project, {items});
	const restoring = createFileRestore({
		history,
		clock,
		scope: scope ?? project.scope,
		sessionDir: tools.sessionDir,
		protectedFolders: [],
	});
	const all = async (to = 'start') =>
		restoring.restore({to, files: (await restoring.filesSince(to)).filter(({state}) => state !== 'lost')});
	return {project, tools, items, restoring, all, text: async name => readFile(project.path(name), 'utf8')};
}

const edit = (path: string, old: string, fresh: string) => ['edit_file', {path, edits: [{old, new: fresh}]}] as const;
const done = {type: 'restored', problems: []};

describe('a file changed by a tool', () => {
	it('is shown with one diff and restored with its line endings and mode, and a notice records it', async () => {
		const {project, tools, items, restoring, all, text} = await made({
			'run.sh': '#!/bin/sh\r\necho one\r\necho two\r\n',
		});
		await chmod(project.path('run.sh'), 0o751);
		await tools.call('read_file', {path: 'run.sh'});
		await tools.call(...edit('run.sh', 'one', 'three'));
		await tools.call(...edit('run.sh', 'two', 'four'));
		const present = sha256('#!/bin/sh\r\necho three\r\necho four\r\n');
		expect(await restoring.filesSince('start')).toEqual([
			{
				state: 'tools',
				real: project.path('run.sh'),
				path: 'run.sh',
				present,
				diff: '--- run.sh\n+++ run.sh\n@@ -1,3 +1,3 @@\n #!/bin/sh\n-echo three\n-echo four\n+echo one\n+echo two',
			},
		]);
		expect(await all()).toEqual(done);
		expect(await text('run.sh')).toBe('#!/bin/sh\r\necho one\r\necho two\r\n');
		expect((await stat(project.path('run.sh'))).mode & 0o777).toBe(0o751);
		expect(items.at(-1)).toMatchObject({
			role: 'system',
			text: 'Restored "run.sh", as the user asked. It has the contents again that it had before tools changed it.',
			origin: {kind: 'notice', about: 'restored', real: project.path('run.sh'), before: present},
		});
		expect(await restoring.filesSince('start')).toEqual([]);
	});

	it('is restored to its contents between two changes', async () => {
		const {tools, items, restoring, all, text} = await made({'a.txt': 'one\n'});
		await tools.call('read_file', {path: 'a.txt'});
		await tools.call(...edit('a.txt', 'one', 'two'));
		const between = items.at(-1)!.id;
		await tools.call(...edit('a.txt', 'two', 'three'));
		expect(await all(between)).toEqual(done);
		expect(await text('a.txt')).toBe('two\n');
		expect(await all()).toEqual(done);
		expect(await text('a.txt')).toBe('one\n');
		expect(await restoring.filesSince('start')).toEqual([]);
	});

	it('can be changed back after a restore, because the replaced contents are backed up as well', async () => {
		const {tools, items, all, text} = await made({'a.txt': 'one\n'});
		await tools.call('read_file', {path: 'a.txt'});
		await tools.call(...edit('a.txt', 'one', 'two'));
		const changed = items.at(-1)!.id;
		await all();
		expect(await all(changed)).toEqual(done);
		expect(await text('a.txt')).toBe('two\n');
	});

	it('shows a difference even if only line endings changed', async () => {
		const {project, tools, restoring} = await made({'a.txt': 'one\n'});
		await tools.call('read_file', {path: 'a.txt'});
		await tools.call('write_file', {path: 'a.txt', content: 'one\r\n'});
		const [file] = await restoring.filesSince('start');
		expect(file).toMatchObject({
			state: 'tools',
			real: project.path('a.txt'),
			diff: expect.stringContaining('-one\r\n+one') as string,
		});
	});
});

describe('a file created by a tool', () => {
	it('is deleted if no one has changed it since, and its folder stays', async () => {
		const {project, tools, items, restoring, all} = await made();
		await tools.call('write_file', {path: 'src/new.ts', content: 'x\n'});
		expect(await restoring.filesSince('start')).toMatchObject([
			{state: 'tools', removes: true, diff: '--- src/new.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x'},
		]);
		expect(await all()).toEqual(done);
		await expect(stat(project.path('src/new.ts'))).rejects.toThrow('ENOENT');
		expect((await stat(project.path('src'))).isDirectory()).toBe(true);
		expect(items.at(-1)).toMatchObject({
			text: 'Removed "src/new.ts", as the user asked. A tool had created this file.',
		});
		expect(await restoring.filesSince('start')).toEqual([]);
	});

	it('is not listed if it is already deleted', async () => {
		const {project, tools, restoring} = await made();
		await tools.call('write_file', {path: 'a/new.ts', content: 'x\n'});
		await rm(project.path('a'), {recursive: true});
		expect(await restoring.filesSince('start')).toEqual([]);
		await writeFile(project.path('a'), 'now a file');
		expect(await restoring.filesSince('start')).toEqual([]);
	});
});

describe('changes outside inkpod', () => {
	it.each<[string, (made: Made) => Promise<unknown>, string]>([
		[
			'a change since',
			async ({project}) => writeFile(project.path('a.txt'), 'mine\n'),
			'it was changed outside inkpod',
		],
		['a removal since', async ({project}) => unlink(project.path('a.txt')), 'it was deleted outside inkpod'],
		[
			'a change between two changes of tools',
			async ({project, tools}) => {
				await writeFile(project.path('a.txt'), 'mine\n');
				await tools.call('read_file', {path: 'a.txt'});
				await tools.call(...edit('a.txt', 'mine', 'ours'));
			},
			'it was changed outside inkpod between two changes by tools',
		],
	])(
		'are reported: %s. Only a request with the current hash overwrites the file, after a backup',
		async (_name, meanwhile, sentence) => {
			const one = await made({'a.txt': 'one\n'});
			const {tools, restoring, items, project, text} = one;
			await tools.call('read_file', {path: 'a.txt'});
			await tools.call(...edit('a.txt', 'one', 'two'));
			await meanwhile(one);
			const [file] = await restoring.filesSince('start');
			expect(file).toMatchObject({state: 'others', sentence});
			const known = items.length;
			expect(
				await restoring.restore({
					to: 'start',
					files: [{real: project.path('a.txt'), present: sha256('two\n')}],
				}),
			).toEqual({type: 'refused', code: 'io', sentence: 'a.txt: it has changed since it was shown.'});
			expect(items.length).toBe(known);
			expect(await restoring.restore({to: 'start', files: [file!]})).toEqual(done);
			expect(await text('a.txt')).toBe('one\n');
			if (file!.present !== undefined)
				expect(sha256(await readFile(join(backupsDir(tools.sessionDir), file!.present)))).toBe(file!.present);
		},
	);

	it('are never overwritten through a link, a directory or a FIFO in place of the file', async () => {
		const {project, tools, restoring, text} = await made({
			'a.txt': 'one\n',
			'b.txt': 'one\n',
			'other.txt': 'other\n',
		});
		for (const path of ['a.txt', 'b.txt']) {
			await tools.call('read_file', {path});
			await tools.call(...edit(path, 'one', 'two'));
			await unlink(project.path(path));
		}
		await symlink('other.txt', project.path('a.txt'));
		await mkdir(project.path('b.txt'));
		expect(await restoring.filesSince('start')).toMatchObject([
			{state: 'lost', sentence: expect.stringContaining('a link now leads elsewhere') as string},
			{state: 'lost', sentence: 'it is now a directory'},
		]);
		expect(
			await restoring.restore({to: 'start', files: [{real: project.path('a.txt'), present: sha256('other\n')}]}),
		).toMatchObject({type: 'refused'});
		expect(await text('other.txt')).toBe('other\n');
	});
});

describe('files that cannot be restored', () => {
	it('are reported if their backup is missing or damaged', async () => {
		const {tools, restoring, project} = await made({'a.txt': 'one\n', 'b.txt': 'other\n'});
		for (const [path, old] of [
			['a.txt', 'one'],
			['b.txt', 'other'],
		] as const) {
			await tools.call('read_file', {path});
			await tools.call(...edit(path, old, 'two'));
		}
		await unlink(join(backupsDir(tools.sessionDir), sha256('one\n')));
		await writeFile(join(backupsDir(tools.sessionDir), sha256('other\n')), 'forged\n');
		expect(await restoring.filesSince('start')).toMatchObject([
			{state: 'lost', sentence: 'its earlier contents were not saved'},
			{state: 'lost', sentence: 'its earlier contents were not saved'},
		]);
		expect(
			await restoring.restore({to: 'start', files: [{real: project.path('a.txt'), present: sha256('two\n')}]}),
		).toMatchObject({type: 'refused', code: 'io'});
	});

	it('are reported in a read-only scope, and a file that no tool changed is refused', async () => {
		const project = await tempProject();
		const one = await made({'a.txt': 'one\n'}, {...project.scope, writable: false});
		await one.tools.call('read_file', {path: 'a.txt'});
		await one.tools.call(...edit('a.txt', 'one', 'two'));
		expect(await one.restoring.filesSince('start')).toMatchObject([
			{state: 'lost', sentence: 'the working directory is read-only'},
		]);
		expect(await one.restoring.restore({to: 'start', files: [{real: '/etc/passwd'}]})).toMatchObject({
			type: 'refused',
			code: 'no_such_item',
		});
		expect(await one.restoring.restore({to: 'start', files: []})).toMatchObject({type: 'refused', code: 'empty'});
		expect(await one.restoring.filesSince('nowhere')).toEqual([]);
	});

	it('are reported while the others are restored', async () => {
		const {tools, restoring, project, text} = await made({'a.txt': 'one\n', 'b.txt': 'one\n'});
		for (const path of ['a.txt', 'b.txt']) {
			await tools.call('read_file', {path});
			await tools.call(...edit(path, 'one', 'two'));
		}
		const files = await restoring.filesSince('start');
		await writeFile(project.path('a.txt'), 'mine\n');
		expect(await restoring.restore({to: 'start', files: [...files]})).toEqual({
			type: 'restored',
			problems: ['a.txt: it has changed since it was shown.'],
		});
		expect([await text('a.txt'), await text('b.txt')]).toEqual(['mine\n', 'one\n']);
	});
});

describe('changes by the model after a rewind', () => {
	it('are refused for files whose read was rewound, and allowed for restored files that it had read', async () => {
		const {tools, items, all, text} = await made({'a.txt': 'one\n'});
		await tools.call('read_file', {path: 'a.txt'});
		const point = items.at(-1)!.id;
		await tools.call(...edit('a.txt', 'one', 'two'));
		items.push({id: 'back', at: '2026-01-01T00:00:00.000Z', type: 'rewind', to: point});
		expect((await tools.call(...edit('a.txt', 'two', 'three'))).content).toContain('(changed). Read it again.');
		await all(point);
		expect((await tools.call(...edit('a.txt', 'one', 'three'))).summary).toBe('1 edit');
		expect(await text('a.txt')).toBe('three\n');
	});
});
