import {mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {copyOutputs} from '../../../../src/pod/tools/processes/copy-outputs.ts';
import {outputDir, ownOutput} from '../../../../src/pod/tools/processes/output-file.ts';
import {narrowDetails, type Item} from '../../../../src/pod/protocol.ts';
import {forkSession} from '../../../../src/pod/disk/conversations/fork.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {allowed, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';
import {call, result} from '../../disk/fixture.ts';

const ids = ['01JD8XK3Q2AAAAAAAAAAAAAAAA', '01JD8XK3Q2BBBBBBBBBBBBBBBB'] as const;

/** Creates two session folders. The first one has these outputs. */
async function folders(outputs: Readonly<Record<string, string>>) {
	const {dir} = await tempProject();
	const [from, to] = [join(dir, ids[0]), join(dir, ids[1])];
	await mkdir(outputDir(from), {recursive: true});
	for (const [name, text] of Object.entries(outputs)) await writeFile(join(outputDir(from), name), text);
	return {from, to, names: async () => readdir(outputDir(to)).catch(() => [])};
}

const named = (file: string): Item => ({...result('r', 'c'), details: {command: {bytes: 1, file}}}) as Item;

describe('the outputs of a fork', () => {
	it('are those of its items, as files of their own', async () => {
		const {from, to, names} = await folders({'A.txt': 'a', 'A-2.txt': 'again', 'B.txt': 'b', 'C.txt': 'c'});
		expect(await copyOutputs(from, to, [call('A', 'c'), named('/elsewhere/output/B.txt')])).toBe(0);
		expect(await names()).toEqual(['A-2.txt', 'A.txt', 'B.txt']);
		await writeFile(join(outputDir(from), 'A.txt'), 'a, and more');
		expect(await readFile(join(outputDir(to), 'A.txt'), 'utf8')).toBe('a');
		expect((await stat(join(outputDir(to), 'A.txt'))).mode & 0o777).toBe(0o600);
	});

	it('follow no links and are bounded, the latest first', async () => {
		const {from, to, names} = await folders({'A.txt': 'aaaa', 'B.txt': 'bbbb', 'C.txt': 'cccc'});
		await rm(join(outputDir(from), 'C.txt'));
		await symlink('/etc/passwd', join(outputDir(from), 'C.txt'));
		await writeFile(join(outputDir(from), 'D.txt'), '');
		await truncate(join(outputDir(from), 'D.txt'), 2 ** 40);
		const items = ['A', 'B', 'C', 'D'].map(id => call(id, id));
		expect(await copyOutputs(from, to, items, 6)).toBe(3);
		expect(await names()).toEqual(['B.txt']);
	});

	it('are none if a link replaces the folder', async () => {
		const {from, to, names} = await folders({'A.txt': 'a'});
		await rm(outputDir(from), {recursive: true});
		await symlink('/etc', outputDir(from));
		expect(await copyOutputs(from, to, [call('A', 'c')])).toBe(0);
		expect(await names()).toEqual([]);
	});
});

describe('the path of an output', () => {
	it('means the output in this session if it is that of a session, and this session has it', async () => {
		const {from: dir} = await folders({'A.txt': 'a'});
		const other = `/x/${ids[1]}/output`;
		const own = join(outputDir(dir), 'A.txt');
		for (const path of [`${other}/A.txt`, `/copied/${ids[0]}/output/A.txt`, own])
			expect(ownOutput(dir, path)).toBe(own);
		for (const path of [
			`${other}/B.txt`,
			'/x/session/output/A.txt',
			`/x/${ids[1]}/kept/A.txt`,
			`${other}/../A.txt`,
		])
			expect([path, ownOutput(dir, path)]).toEqual([path, undefined]);
	});
});

const long = `head -c 60000 /dev/zero | tr '\\0' x; echo; echo last`;
const outputOf = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'tool_result' ? (narrowDetails(item.details).command?.file ?? []) : []))[0]!;

async function forkOf(told: TestPod) {
	const forked = await forkSession(told.session.dir, {backupsOf: () => [], copyOutputs}, systemClock());
	if (!forked.ok) throw new Error(forked.sentence);
	const opened = await openSession(forked.dir, systemClock());
	if (!opened.ok) throw new Error(opened.sentence);
	return opened.session;
}

describe('a fork, and a fork of it', () => {
	it('read the paths that their histories name, even when the original is gone', async () => {
		const project = await tempProject();
		const env = {PATH: process.env['PATH']};
		const model = eventModel(answer(calls('c1', 'bash', {command: long})), answer(says('Done.')));
		const told = await testPod(project, {...allowed, model, env});
		await told.run('go');
		await told.rest();
		const path = outputOf(told.items());
		const first = await forkOf(told);
		await told.pod.send({method: 'shutdown'});
		const reader = () =>
			eventModel(
				answer(calls('r1', 'read_file', {path, offset: 2}), calls('r2', 'grep', {path, pattern: 'last'})),
				answer(says('Read.')),
			);
		const fork = await testPod(project, {model: reader(), env, session: first});
		const second = await forkOf(fork);
		await rm(told.session.dir, {recursive: true});
		const again = await testPod(project, {model: reader(), env, session: second});
		for (const each of [fork, again]) {
			await each.run('Read it.');
			await each.rest();
			const read = each.items().filter(item => item.type === 'tool_result');
			expect(read.slice(-2)).toMatchObject([
				{isError: false, content: expect.stringContaining('last') as string},
				{isError: false, content: expect.stringContaining('last') as string},
			]);
			await each.pod.send({method: 'shutdown'});
		}
	});
});
