import {execFileSync} from 'node:child_process';
import {chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openTrustStore} from '../../../../src/pod/permissions/trust/store.ts';
import {projectDir} from '../../../../src/pod/disk/paths.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const subject = {kind: 'workflow', name: 'review'};
const contents = [{name: '.inkpod/workflows/review.md', text: 'a\u0000\ud83d\ude00\n'}];

async function stored() {
	const project = await tempProject();
	const env = {HOME: join(project.dir, '..', 'home')};
	const folder = projectDir(join(env.HOME, '.local/state/inkpod/trust'), project.dir);
	const store = await openTrustStore(env, project.dir);
	const file = async () => join(folder, (await readdir(folder))[0]!);
	return {project, env, folder, store, file};
}

it('the store returns saved contents in this process and in another one', async () => {
	const {project, env, store} = await stored();
	expect(await store.read(subject)).toBeUndefined();
	expect(await store.write(subject, contents)).toBeUndefined();
	expect(await store.read(subject)).toEqual(contents);
	expect(await store.read({...subject, name: 'other'})).toBeUndefined();
	expect(await (await openTrustStore(env, project.dir)).read(subject)).toEqual(contents);
	expect(await (await openTrustStore(env, `${project.dir}-x`)).read(subject)).toBeUndefined();
});

it('the store has folders and files that only the user may access', async () => {
	const {store, folder, file} = await stored();
	await store.write(subject, contents);
	expect([(await stat(folder)).mode & 0o777, (await stat(await file())).mode & 0o777]).toEqual([0o700, 0o600]);
});

it('the store keeps one of two simultaneous writes and leaves no temporary file', async () => {
	const {project, env, store, folder} = await stored();
	const other = await openTrustStore(env, project.dir);
	await Promise.all(
		Array.from({length: 20}, async (_, index) =>
			(index % 2 === 0 ? store : other).write(subject, [{name: 'x', text: String(index % 2)}]),
		),
	);
	expect(['0', '1']).toContain((await store.read(subject))?.[0]?.text);
	expect(await readdir(folder)).toHaveLength(1);
});

describe('an invalid record', () => {
	const breakage: ReadonlyArray<readonly [string, (file: string) => Promise<unknown>]> = [
		['a torn file', async file => writeFile(file, (await readFile(file)).subarray(0, 60))],
		['an empty file', async file => writeFile(file, '')],
		[
			'contents that do not have the hash',
			async file => writeFile(file, (await readFile(file, 'utf8')).replace('review.md', 'revieW.md')),
		],
		[
			'another project’s file',
			async file => writeFile(file, (await readFile(file, 'utf8')).replace('"project":"', '"project":"/x')),
		],
		[
			'a file of another version',
			async file => writeFile(file, (await readFile(file, 'utf8')).replace('"version":1', '"version":2')),
		],
		['one that others may write', async file => chmod(file, 0o666)],
		['a link', async file => rename(file, `${file}.x`).then(async () => symlink(`${file}.x`, file))],
		['a FIFO', async file => rename(file, `${file}.x`).then(() => execFileSync('mkfifo', [file]))],
		['a folder', async file => rename(file, `${file}.x`).then(async () => mkdir(file))],
	];
	it.each(breakage)('%s', async (_, breaks) => {
		const {store, file} = await stored();
		await store.write(subject, contents);
		await breaks(await file());
		expect(await store.read(subject)).toBeUndefined();
	});

	it('is not written when the store is inside the project', async () => {
		const project = await tempProject();
		const env = {HOME: join(project.dir, '..', 'home'), INKPOD_HOME: project.path('state')};
		const store = await openTrustStore(env, project.dir);
		expect(await store.write(subject, contents)).toContain('is inside the project');
		expect(await store.read(subject)).toBeUndefined();
		expect(await readdir(project.dir)).toEqual([]);
	});

	it('is not written when the store is inside the project through a link', async () => {
		const project = await tempProject({'state/': ''});
		await project.link('../outside', 'project/state');
		const store = await openTrustStore(
			{HOME: join(project.dir, '..', 'home'), INKPOD_HOME: project.path('../outside')},
			project.dir,
		);
		expect(await store.write(subject, contents)).toContain('is inside the project');
	});
});

it('the store is written for a project that contains the home folder', async () => {
	const project = await tempProject();
	const store = await openTrustStore({HOME: project.dir}, project.dir);
	expect(await store.write(subject, contents)).toBeUndefined();
	expect(await store.read(subject)).toEqual(contents);
});

it('the store reports that it cannot be written', async () => {
	const {store, folder} = await stored();
	await mkdir(join(folder, '..', '..'), {recursive: true});
	await writeFile(join(folder, '..'), '');
	expect(await store.write(subject, contents)).toMatch(/^Trust was not saved and applies to this session only\. \S/);
});
