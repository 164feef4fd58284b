import {chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findNewExecutables} from '../../../../src/pod/permissions/confine/new-executables.ts';
import {prepareLayer} from '../../../../src/pod/permissions/confine/plan-layer.ts';
import {presentRunLater, protectedPlaces} from '../../../../src/pod/permissions/confine/protected-places.ts';
import {folderWith, layerOf} from '../../../helpers/layers.ts';
import {asOrdinaryUser} from '../../../helpers/other-user.ts';

const repository = {HEAD: 'ref: refs/heads/main\n', config: '[core]\n', 'objects/': '', 'refs/': ''};

function repositoryIn(folder: string): Readonly<Record<string, string>> {
	return Object.fromEntries(Object.entries(repository).map(([name, text]) => [`${folder}/${name}`, text]));
}

function make(folder: string, files: Readonly<Record<string, string>>): void {
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(join(folder, name.endsWith('/') ? name : dirname(name)), {recursive: true});
		if (!name.endsWith('/')) writeFileSync(join(folder, name), text);
	}
}

/** Returns what inkpod finds after a command of an ordinary user created files and changed permissions. */
async function created(files: Readonly<Record<string, string>>, modes: Readonly<Record<string, number>>) {
	const folder = folderWith({});
	return asOrdinaryUser(dirname(folder), async () => {
		const before = await presentRunLater(folder);
		make(folder, files);
		for (const [name, mode] of Object.entries(modes)) chmodSync(join(folder, name), mode);
		const found = await findNewExecutables(folder, before);
		return {
			folder,
			created: found.created.map(path => relative(folder, path)),
			setAside: found.setAside.map(([from]) => relative(folder, from)),
			modeOf: (name: string) => statSync(join(folder, name)).mode & 0o777,
		};
	});
}

describe('a new repository without permissions', () => {
	it.each([0o555, 0o500, 0o311, 0o111, 0o600])('is disabled (its folder: %o)', async mode => {
		const {folder, setAside} = await created(repositoryIn('x/.git'), {'x/.git': mode});
		expect(setAside).toEqual(['x/.git/HEAD']);
		expect(existsSync(join(folder, 'x/.git/HEAD'))).toBe(false);
	});

	it.each([0o311, 0o111, 0])('is disabled below a folder in which nobody can look (%o)', async mode => {
		const {created: named, setAside, modeOf} = await created(repositoryIn('a/b/c/.git'), {'a/b': mode});
		expect(setAside).toEqual(['a/b/c/.git/HEAD']);
		expect(named).toEqual(['a/b']);
		expect(modeOf('a/b')).toBe(mode | 0o700);
	});

	it.each([0o700, 0o311])('is disabled below 120 bare ones (folders: %o)', async mode => {
		const deep = Array.from({length: 120}, (_, n) => `b${'/n'.repeat(n)}`);
		const files = Object.assign({}, ...deep.map(repositoryIn), repositoryIn(`${deep.at(-1)}/x/.git`));
		const modes = Object.fromEntries(deep.toReversed().map(path => [path, mode]));
		const {setAside} = await created(files, modes);
		expect(setAside).toContain(`${deep.at(-1)}/x/.git/HEAD`);
		expect(setAside).toHaveLength(121);
	});

	it('is disabled where only a file names it, and the folder keeps its permissions', async () => {
		const files = {...repositoryIn('r'), 'x/.git': 'gitdir: ../r\n'};
		const {setAside, modeOf} = await created(files, {x: 0o555, r: 0o555});
		expect(setAside.toSorted()).toEqual(['r/HEAD', 'x/.git']);
		expect(modeOf('x')).toBe(0o555);
	});
});

it('A folder in which nobody can look is read-only as a whole, and keeps its name', async () => {
	const folder = folderWith({...repositoryIn('a/b/c/.git'), 'd/e': ''});
	await asOrdinaryUser(dirname(folder), async () => {
		chmodSync(join(folder, 'a/b'), 0o311);
		const {readOnly, held} = await protectedPlaces(folder, {HOME: dirname(folder)});
		expect(readOnly.map(({path}) => relative(folder, path))).toEqual(['a/b']);
		expect(held.map(({path}) => relative(folder, path))).toEqual(['a']);
		chmodSync(join(folder, 'a/b'), 0o755);
	});
});

it('What a command in a cell changes in such a folder is protected, and also its deletion', async () => {
	const folder = folderWith({'a/b/x': '', 'c/d': '', 'e/f': ''});
	const layer = layerOf(folder, merged => {
		writeFileSync(join(merged, 'a/b/x'), 'changed');
		writeFileSync(join(merged, 'c/new'), '');
		rmSync(join(merged, 'e'), {recursive: true});
	});
	await asOrdinaryUser(dirname(folder), async () => {
		for (const name of ['a', 'e']) chmodSync(join(folder, name), 0o311);
		const options = {indexPack: async () => false, env: {HOME: dirname(folder)}};
		const plan = await (await prepareLayer(layer, options))?.planFor(new Set());
		expect(plan?.leftOut).toEqual([
			{path: 'e', why: 'protected'},
			{path: 'a/b/x', why: 'protected'},
		]);
		expect(plan?.counts).toEqual({added: 1, changed: 0, deleted: 0});
	});
});
