import {mkdir, realpath, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join, resolve} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readable, type Scope} from '../../../../src/pod/scope/scope.ts';
import {scopeOf, tempProject} from '../../../helpers/temp-project.ts';
import {searchPaths} from './search-paths.ts';

const seed = 20_261;
const runs = process.env['INKPOD_TEST'] === 'long' ? 400 : 40;

describe('path search in a scope', () => {
	it('lists a link within the scope without following it, and no link that leaves the scope or dangles', async () => {
		const project = await tempProject({'src/deep/a.ts': ''});
		await project.write('../outside/b.ts', '');
		await project.link('in', 'src');
		await project.link('file-in', 'src/deep/a.ts');
		await project.link('out', '../outside');
		await project.link('file-out', '../outside/b.ts');
		await project.link('gone', 'nowhere');
		await project.link('src/round', '..');
		await project.link('src/self', 'self');
		const ask = searchPaths(project.scope);
		expect([...(await ask.paths(''))].toSorted()).toEqual(['file-in', 'in/', 'src/']);
		expect([...(await ask.paths('n'))].toSorted()).toEqual(['file-in', 'in/', 'src/round/']);
		expect(await ask.paths('a.ts')).toEqual(['src/deep/a.ts']);
		expect(await ask.paths('in/deep/')).toEqual(['in/deep/a.ts']);
		expect(await ask.paths('in/a.t')).toEqual(['in/deep/a.ts']);
		expect(await ask.paths('src/round/src/')).toEqual(['src/round/src/deep/', 'src/round/src/round/']);
		expect((await ask('out/')).note).toMatch(/^Outside/u);
		expect((await ask('out/b')).matches).toEqual([]);
	});

	it('lists nothing in a folder after a link to the outside has replaced it', async () => {
		const project = await tempProject({'src/deep/inside.ts': ''});
		await project.write('../outside/deep/inside.ts', '');
		const ask = searchPaths(project.scope);
		expect(await ask.paths('inside')).toEqual(['src/deep/inside.ts']);
		await rename(project.path('src'), project.path('../moved'));
		await project.link('src', '../outside');
		for (const text of ['inside', 'src/', 'src/deep/', 'src/deep/in', '', 's'])
			expect(await ask.paths(text)).toEqual([]);
	});

	it('lists only what a file reference can read, in random trees with links', async () => {
		const name = fc.constantFrom('a', 'b', 'c', 'dd', 'e.ts');
		const place = fc.array(name, {minLength: 1, maxLength: 3}).map(parts => parts.join('/'));
		const target = fc.oneof(
			place,
			place.map(at => `../${at}`),
			fc.constantFrom('..', '.', '../..', '../../outside', '../outside', '/', '/etc/passwd', '/etc'),
		);
		const node = fc.oneof(
			fc.record({at: place, kind: fc.constant('file' as const)}),
			fc.record({at: place, kind: fc.constant('link' as const), target}),
			fc.record({at: place, kind: fc.constant('swap' as const), target}),
		);
		const query = fc.oneof(
			fc.constantFrom('', 'a', 'e', '/', '..', '../', '../outside/', '~/', '/etc/', '../../'),
			place,
			place.map(at => `${at}/`),
			place.map(at => `../${at}`),
		);
		let listed = 0;
		const project = await tempProject();
		let serial = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.array(node, {minLength: 3, maxLength: 14}),
				fc.array(query, {minLength: 1, maxLength: 6}),
				async (nodes, queries) => {
					serial += 1;
					const base = `run-${serial}`;
					await project.write(`${base}/outside/e.ts`, '');
					await project.write(`${base}/outside/dd/a`, '');
					await project.mkdir(`${base}/pwd`);
					for (const made of nodes) await make(project.path(`${base}/pwd`), made);
					const scope = await scopeOf(project.path(`${base}/pwd`));
					const ask = searchPaths(scope);
					await ask('');
					for (const made of nodes) if (made.kind === 'swap') await swap(project.path(`${base}/pwd`), made);
					for (const text of queries) {
						const paths = await ask.paths(text, 1000);
						listed += paths.length;
						for (const path of paths)
							expect(await inScope(scope, path), `${JSON.stringify(text)} lists ${path}`).toBe(true);
					}
					await rm(project.path(base), {recursive: true});
				},
			),
			{seed, numRuns: runs},
		);
		expect(listed).toBeGreaterThan(runs);
	});

	type Node = {readonly at: string; readonly kind: 'file' | 'link' | 'swap'; readonly target?: string};

	/** Creates an entry, unless its place is already taken. */
	async function make(pwd: string, {at, kind, target}: Node): Promise<void> {
		try {
			await mkdir(join(pwd, at, '..'), {recursive: true});
			if (kind === 'link') await symlink(target!, join(pwd, at));
			else await writeFile(join(pwd, at), '');
		} catch {}
	}

	async function swap(pwd: string, {at, target}: Node): Promise<void> {
		try {
			await rm(join(pwd, at), {recursive: true});
			await symlink(target!, join(pwd, at));
		} catch {}
	}

	async function inScope(scope: Scope, path: string): Promise<boolean> {
		const whole = path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(scope.pwd, path);
		return readable(scope, await realpath(whole));
	}

	it('finds each of two thousand files by its name', async () => {
		const names = Array.from({length: 2000}, (_, index) => `d${index % 50}/e${index % 7}/file-${index}.ts`);
		const project = await tempProject(Object.fromEntries(names.map(name => [name, ''])));
		const ask = searchPaths(project.scope);
		for (const name of names.filter((_, index) => index % 97 === 0))
			expect((await ask.paths(name.slice(name.lastIndexOf('/') + 1), 1))[0]).toBe(name);
	});
});
