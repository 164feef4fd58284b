import {chmod, mkdir, readFile, rm, stat, symlink, unlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createRestoring, type Restoring} from '../../../src/pod/rewind/restoring.ts';
import {keptDir} from '../../../src/pod/session/kept.ts';
import {createHistory, memoryLog, stamp, type Item} from '../../../src/worker/index.ts';
import {countedClock} from '../../helpers/clock.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';
import {changing, sha256, type Changing} from '../tools/changing.ts';

type Made = {
	readonly project: TempProject;
	readonly tools: Changing;
	readonly items: Item[];
	readonly restoring: Restoring;
	/** Puts back all that is not lost, as it was shown. */ readonly all: (
		to?: string,
	) => ReturnType<Restoring['restore']>;
	readonly text: (name: string) => Promise<string>;
};

/** A project and its tools; the first item is the point to go back to. */
async function made(
	files: Readonly<Record<string, string | Uint8Array>> = {},
	scope?: TempProject['scope'],
): Promise<Made> {
	const project = await tempProject(files);
	const clock = countedClock('n');
	const history = createHistory(memoryLog, [stamp(clock, {type: 'run_end', outcome: 'finished'}, 'start')]);
	const items = history.items as Item[];
	const tools = changing(project, {items});
	const restoring = createRestoring({
		history,
		clock,
		scope: scope ?? project.scope,
		sessionDir: tools.sessionDir,
		apart: [],
	});
	const all = async (to = 'start') =>
		restoring.restore({to, files: (await restoring.filesSince(to)).filter(({state}) => state !== 'lost')});
	return {project, tools, items, restoring, all, text: async name => readFile(project.path(name), 'utf8')};
}

const edit = (path: string, old: string, fresh: string) => ['edit_file', {path, edits: [{old, new: fresh}]}] as const;
const done = {type: 'restored', problems: []};

describe('a file that a tool changed', () => {
	test('several times, is shown with one diff, and put back with its line ends and its mode; the notice says so', async () => {
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
			text: 'Restored "run.sh": it holds again what it held before tools changed it, as the person wanted.',
			origin: {kind: 'notice', about: 'restored', real: project.path('run.sh'), before: present},
		});
		expect(await restoring.filesSince('start')).toEqual([]);
	});

	test('from a point between two changes on, goes back to what it was there', async () => {
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

	test('and that was put back, can be put forward again: what stood there last is kept, too', async () => {
		const {tools, items, all, text} = await made({'a.txt': 'one\n'});
		await tools.call('read_file', {path: 'a.txt'});
		await tools.call(...edit('a.txt', 'one', 'two'));
		const changed = items.at(-1)!.id;
		await all();
		expect(await all(changed)).toEqual(done);
		expect(await text('a.txt')).toBe('two\n');
	});

	test('which differs in its line ends only, shows that', async () => {
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

describe('a file that a tool made', () => {
	test('is taken away where nobody changed it since; its folder stays', async () => {
		const {project, tools, items, restoring, all} = await made();
		await tools.call('write_file', {path: 'src/new.ts', content: 'x\n'});
		expect(await restoring.filesSince('start')).toMatchObject([
			{state: 'tools', removes: true, diff: '--- src/new.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x'},
		]);
		expect(await all()).toEqual(done);
		await expect(stat(project.path('src/new.ts'))).rejects.toThrow('ENOENT');
		expect((await stat(project.path('src'))).isDirectory()).toBe(true);
		expect(items.at(-1)).toMatchObject({
			text: 'Removed "src/new.ts", which a tool had made, as the person wanted.',
		});
		expect(await restoring.filesSince('start')).toEqual([]);
	});

	test('and somebody took away already, is no matter any more', async () => {
		const {project, tools, restoring} = await made();
		await tools.call('write_file', {path: 'a/new.ts', content: 'x\n'});
		await rm(project.path('a'), {recursive: true});
		expect(await restoring.filesSince('start')).toEqual([]);
		await writeFile(project.path('a'), 'now a file');
		expect(await restoring.filesSince('start')).toEqual([]);
	});
});

describe('what somebody else did meanwhile', () => {
	test.each<[string, (made: Made) => Promise<unknown>, string]>([
		[
			'a change since',
			async ({project}) => writeFile(project.path('a.txt'), 'mine\n'),
			'somebody else has changed it since',
		],
		['a removal since', async ({project}) => unlink(project.path('a.txt')), 'somebody else has removed it since'],
		[
			'a change between two of the tools',
			async ({project, tools}) => {
				await writeFile(project.path('a.txt'), 'mine\n');
				await tools.call('read_file', {path: 'a.txt'});
				await tools.call(...edit('a.txt', 'mine', 'ours'));
			},
			'somebody else has changed it between the changes of the tools',
		],
	])(
		'%s, is said; only who names what stands there now overwrites it, and that is kept',
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
			).toEqual({type: 'refused', code: 'io', sentence: 'a.txt: it is not as it was shown any more.'});
			expect(items.length).toBe(known);
			expect(await restoring.restore({to: 'start', files: [file!]})).toEqual(done);
			expect(await text('a.txt')).toBe('one\n');
			if (file!.present !== undefined)
				expect(sha256(await readFile(join(keptDir(tools.sessionDir), file!.present)))).toBe(file!.present);
		},
	);

	test('a link in the place of the file, a directory, a FIFO: nothing is put back through it', async () => {
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
			{state: 'lost', sentence: expect.stringContaining('a link leads elsewhere') as string},
			{state: 'lost', sentence: 'a directory stands there now'},
		]);
		expect(
			await restoring.restore({to: 'start', files: [{real: project.path('a.txt'), present: sha256('other\n')}]}),
		).toMatchObject({type: 'refused'});
		expect(await text('other.txt')).toBe('other\n');
	});
});

describe('what cannot be put back', () => {
	test('because its content is not kept, or was damaged, is said', async () => {
		const {tools, restoring, project} = await made({'a.txt': 'one\n', 'b.txt': 'other\n'});
		for (const [path, old] of [
			['a.txt', 'one'],
			['b.txt', 'other'],
		] as const) {
			await tools.call('read_file', {path});
			await tools.call(...edit(path, old, 'two'));
		}
		await unlink(join(keptDir(tools.sessionDir), sha256('one\n')));
		await writeFile(join(keptDir(tools.sessionDir), sha256('other\n')), 'forged\n');
		expect(await restoring.filesSince('start')).toMatchObject([
			{state: 'lost', sentence: 'what stood there was not kept'},
			{state: 'lost', sentence: 'what stood there was not kept'},
		]);
		expect(
			await restoring.restore({to: 'start', files: [{real: project.path('a.txt'), present: sha256('two\n')}]}),
		).toMatchObject({type: 'refused', code: 'io'});
	});

	test('because nothing may be written, is said; a file that no tool changed is refused', async () => {
		const project = await tempProject();
		const one = await made({'a.txt': 'one\n'}, {...project.scope, writable: false});
		await one.tools.call('read_file', {path: 'a.txt'});
		await one.tools.call(...edit('a.txt', 'one', 'two'));
		expect(await one.restoring.filesSince('start')).toMatchObject([
			{state: 'lost', sentence: 'the working directory is read-only here'},
		]);
		expect(await one.restoring.restore({to: 'start', files: [{real: '/etc/passwd'}]})).toMatchObject({
			type: 'refused',
			code: 'no_such_item',
		});
		expect(await one.restoring.restore({to: 'start', files: []})).toMatchObject({type: 'refused', code: 'empty'});
		expect(await one.restoring.filesSince('nowhere')).toEqual([]);
	});

	test('while others can, is told, and they are put back', async () => {
		const {tools, restoring, project, text} = await made({'a.txt': 'one\n', 'b.txt': 'one\n'});
		for (const path of ['a.txt', 'b.txt']) {
			await tools.call('read_file', {path});
			await tools.call(...edit(path, 'one', 'two'));
		}
		const files = await restoring.filesSince('start');
		await writeFile(project.path('a.txt'), 'mine\n');
		expect(await restoring.restore({to: 'start', files: [...files]})).toEqual({
			type: 'restored',
			problems: ['a.txt: it is not as it was shown any more.'],
		});
		expect([await text('a.txt'), await text('b.txt')]).toEqual(['mine\n', 'one\n']);
	});
});

describe('what the model may change afterwards', () => {
	test('after a rewind without the files: not what it does not know any more; with them: what it had read before', async () => {
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
