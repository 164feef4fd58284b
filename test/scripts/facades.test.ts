import {mkdtemp, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {withoutFacades} from '../../scripts/facades.mjs';

type Chunk = Parameters<typeof withoutFacades>[0][number];

describe('withoutFacades', () => {
	let directory: string;
	beforeEach(async () => {
		directory = await mkdtemp(path.join(tmpdir(), 'inkpod-facades-'));
	});
	afterEach(async () => rm(directory, {recursive: true, force: true}));

	it('replaces the chunk that a facade renames, with the right names', async () => {
		const chunks = await written({
			'app.mjs': 'export const get = async () => import(`./facade.mjs`);',
			'facade.mjs': 'export{a as first,t as second,third}from"./target.mjs";',
			'target.mjs': 'const a = 1, t = 2, third = 3;\nexport {a, t, third};',
		});
		const left = await withoutFacades(chunks, directory);
		expect(left.map(({fileName}) => fileName)).toEqual(['app.mjs', 'target.mjs']);
		expect((await readdir(directory)).toSorted()).toEqual(['app.mjs', 'target.mjs']);
		expect(left[0]!.dynamicImports).toEqual(['target.mjs']);
		const {get} = (await import(path.join(directory, 'app.mjs'))) as {readonly get: () => Promise<unknown>};
		expect(await get()).toEqual({first: 1, second: 2, third: 3});
	});

	it('keeps a chunk that does more than rename exports, and its imports', async () => {
		const sources = {
			'app.mjs': 'const all = [import("./effect.mjs"), import("./code.mjs"), import("node:fs")];',
			'effect.mjs': 'import"./other.mjs";export{a}from"./target.mjs";',
			'code.mjs': 'export{a}from"./target.mjs";globalThis.x = 1;',
		};
		const left = await withoutFacades(await written(sources), directory);
		expect(left).toHaveLength(3);
		expect(await readFile(path.join(directory, 'app.mjs'), 'utf8')).toBe(sources['app.mjs']);
	});

	async function written(sources: Readonly<Record<string, string>>): Promise<Chunk[]> {
		for (const [name, code] of Object.entries(sources)) await writeFile(path.join(directory, name), code);
		return Object.entries(sources).map(([fileName, code]) => ({
			type: 'chunk' as const,
			fileName,
			name: fileName,
			isEntry: fileName === 'app.mjs',
			moduleIds: [],
			modules: {},
			imports: [],
			dynamicImports: fileName === 'app.mjs' ? ['facade.mjs'] : [],
			code,
		}));
	}
});
