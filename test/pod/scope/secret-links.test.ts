import {link, lstat} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {secretFiles} from '../../../src/pod/scope/secret-links.ts';
import {scopeOf, tempProject} from '../../helpers/temp-project.ts';

const home = '/nowhere/at/all';

describe('secretFiles', () => {
	it('finds files by device and inode, whatever their names become', async () => {
		const project = await tempProject({
			'.env': 'x',
			'a.txt': 'x',
			'deep/er/.netrc': 'x',
			'node_modules/p/.env': 'x',
			'.git/objects/.env': 'x',
		});
		const files = await secretFiles(project.scope, {home});
		const has = async (name: string) => files.has(await lstat(project.path(name)));
		expect([await has('.env'), await has('deep/er/.netrc'), await has('a.txt')]).toEqual([true, true, false]);
		expect([await has('node_modules/p/.env'), await has('.git/objects/.env')]).toEqual([false, false]);
		expect(files.areLinked).toBe(false);
	});

	it('reports whether a file has a second name', async () => {
		const project = await tempProject({'.env': 'x', 'a.txt': 'x'});
		await link(project.path('a.txt'), project.path('b.txt'));
		expect((await secretFiles(project.scope, {home})).areLinked).toBe(false);
		await link(project.path('.env'), project.path('c.txt'));
		expect((await secretFiles(project.scope, {home, maxAgeMs: 0})).areLinked).toBe(true);
	});

	it('searches again after a second, but not earlier', async () => {
		const project = await tempProject({'.env': 'x'});
		let ms = 0;
		const now = () => ms;
		const first = await secretFiles(project.scope, {home, now});
		ms = 999;
		expect(await secretFiles(project.scope, {home, now})).toBe(first);
		ms = 1000;
		expect(await secretFiles(project.scope, {home, now})).not.toBe(first);
	});

	it('searches once for simultaneous callers', async () => {
		const project = await tempProject({'.env': 'x'});
		const all = await Promise.all(
			Array.from({length: 20}, async () => secretFiles(project.scope, {home, now: () => 0})),
		);
		expect(new Set(all).size).toBe(1);
	});

	it('prefers files near the top if there are too many', async () => {
		const many = Object.fromEntries(Array.from({length: 300}, (_, index) => [`a/f${index}.txt`, 'x']));
		const project = await tempProject({'.env': 'x', 'b/.env': 'x', 'a/z/y/x/.env': 'x', ...many});
		const files = await secretFiles(project.scope, {home, maxEntries: 20});
		expect(files.has(await lstat(project.path('.env')))).toBe(true);
		expect(files.has(await lstat(project.path('a/z/y/x/.env')))).toBe(false);
	});

	it('includes added folders and follows no links out of the scope', async () => {
		const [project, added] = [await tempProject({'a.txt': 'x'}), await tempProject({'.npmrc': 'x'})];
		const outside = await tempProject({'.env': 'x'});
		await project.link('way', outside.dir);
		await project.link('.env', outside.path('.env'));
		const files = await secretFiles(await scopeOf(project.dir, {readRoots: [added.dir]}), {home});
		expect(files.has(await lstat(added.path('.npmrc')))).toBe(true);
		expect(files.has(await lstat(outside.path('.env')))).toBe(false);
	});
});
