import {
	chmodSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {layerPath, listEffects} from '../../../../src/pod/permissions/confine/effects.ts';
import {finishTakeOvers, removeCell, takeOver} from '../../../../src/pod/permissions/confine/journal.ts';
import type {Layer, Step} from '../../../../src/pod/permissions/confine/layer.ts';
import {planTakeOver, type TakeOver} from '../../../../src/pod/permissions/confine/take-over.ts';
import {seededRandom} from '../../../helpers/random.ts';
import {folderWith, layerOf, treeOf} from '../../../helpers/layers.ts';
import {randomProject, randomScript} from '../../../helpers/random-script.ts';

const seed = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const scripts = process.env['INKPOD_TEST'] === 'long' ? 2000 : 100;
const noGit = async () => ({conflicts: [], notes: []});

async function planned(layer: Layer): Promise<TakeOver> {
	const listed = await listEffects(layer);
	if (listed === undefined) throw new Error('There are too many effects.');
	return planTakeOver(layer, listed);
}

async function taken(folder: string, change: (merged: string) => void, meanwhile: () => void = () => {}) {
	const layer = layerOf(folder, change);
	meanwhile();
	const plan = await planned(layer);
	const ran = await takeOver({
		dir: join(folder, '../cell'),
		roots: [layer.path],
		steps: plan.steps,
		runGitStep: noGit,
	});
	return {...plan, ...ran};
}

describe('a take-over', () => {
	it('adds, changes, deletes and links what the command did', async () => {
		const folder = folderWith({a: 'a', b: 'b', 'd/c': 'c', 'd/e/f': 'f', x: 'x'});
		const {counts, leftOut} = await taken(folder, merged => {
			writeFileSync(join(merged, 'a'), 'changed');
			rmSync(join(merged, 'b'));
			rmSync(join(merged, 'd/e'), {recursive: true});
			mkdirSync(join(merged, 'new/deep'), {recursive: true});
			writeFileSync(join(merged, 'new/deep/file'), 'n');
			symlinkSync('a', join(merged, 'link'));
			chmodSync(join(merged, 'x'), 0o755);
		});
		expect(treeOf(folder)).toMatchObject({
			a: 'file 644 changed',
			d: 'folder 755',
			'd/c': 'file 644 c',
			'new/deep/file': 'file 644 n',
			link: 'link a',
			x: 'file 755 x',
		});
		expect(readdirSync(folder).toSorted()).toEqual(['a', 'd', 'link', 'new', 'x']);
		expect({counts, leftOut}).toEqual({counts: {added: 2, changed: 2, deleted: 2}, leftOut: []});
	});

	it('moves a new folder as a whole', async () => {
		const folder = folderWith({a: 'a'});
		const layer = layerOf(folder, merged => {
			mkdirSync(join(merged, 'n/m'), {recursive: true});
			for (let n = 0; n < 50; n++) writeFileSync(join(merged, `n/m/${n}`), '');
		});
		expect((await planned(layer)).steps).toEqual([
			{type: 'move_folder', from: `${layer.upper}/n`, to: `${layer.path}/n`},
		]);
	});

	it('leaves out what other programs run, also in a new folder, and takes the rest', async () => {
		const folder = folderWith({'.envrc': 'mine', a: 'a', '.idea/x.xml': 'mine'});
		const {leftOut} = await taken(folder, merged => {
			writeFileSync(join(merged, '.envrc'), 'evil');
			writeFileSync(join(merged, '.idea/x.xml'), 'evil');
			mkdirSync(join(merged, 'n/.vscode'), {recursive: true});
			writeFileSync(join(merged, 'n/.vscode/tasks.json'), 'evil');
			writeFileSync(join(merged, 'n/file'), 'n');
		});
		expect(leftOut).toEqual([
			{path: '.envrc', why: 'protected'},
			{path: 'n/.vscode', why: 'protected'},
			{path: '.idea/x.xml', why: 'protected'},
		]);
		expect(treeOf(folder)).toEqual({
			'.envrc': 'file 644 mine',
			'.idea': 'folder 755',
			'.idea/x.xml': 'file 644 mine',
			a: 'file 644 a',
			n: 'folder 755',
			'n/file': 'file 644 n',
		});
	});

	it('takes no set-id bits', async () => {
		const folder = folderWith({});
		await taken(folder, merged => {
			writeFileSync(join(merged, 's'), '');
			chmodSync(join(merged, 's'), 0o6755);
			mkdirSync(join(merged, 'd'));
			chmodSync(join(merged, 'd'), 0o3777);
		});
		expect(treeOf(folder)).toEqual({s: 'file 755 ', d: 'folder 1777'});
	});

	it.each<[string, (merged: string) => void, (folder: string) => void, Readonly<Record<string, string>>]>([
		[
			'a file that was changed on both sides',
			merged => writeFileSync(join(merged, 'a'), 'inside'),
			folder => writeFileSync(join(folder, 'a'), 'outside'),
			{a: 'file 644 outside', d: 'folder 755', 'd/c': 'file 644 c'},
		],
		[
			'a file that was created on both sides',
			merged => writeFileSync(join(merged, 'n'), 'inside'),
			folder => writeFileSync(join(folder, 'n'), 'outside'),
			{a: 'file 644 a', d: 'folder 755', 'd/c': 'file 644 c', n: 'file 644 outside'},
		],
		[
			'a file that the command deleted',
			merged => rmSync(join(merged, 'a')),
			folder => writeFileSync(join(folder, 'a'), 'outside'),
			{a: 'file 644 outside', d: 'folder 755', 'd/c': 'file 644 c'},
		],
		[
			'a folder that the command deleted, with a new file',
			merged => rmSync(join(merged, 'd'), {recursive: true}),
			folder => writeFileSync(join(folder, 'd/new'), 'outside'),
			{a: 'file 644 a', d: 'folder 755', 'd/c': 'file 644 c', 'd/new': 'file 644 outside'},
		],
		[
			'a folder that became a file inside',
			merged => {
				rmSync(join(merged, 'd'), {recursive: true});
				writeFileSync(join(merged, 'd'), 'inside');
			},
			folder => writeFileSync(join(folder, 'd/c'), 'outside'),
			{a: 'file 644 a', d: 'folder 755', 'd/c': 'file 644 outside'},
		],
		[
			'a file that an old one replaced outside',
			merged => writeFileSync(join(merged, 'a'), 'inside'),
			folder => renameSync(join(folder, 'd/c'), join(folder, 'a')),
			{a: 'file 644 c', d: 'folder 755'},
		],
	])('leaves the outside as it is: %s', async (_name, change, meanwhile, tree) => {
		const folder = folderWith({a: 'a', 'd/c': 'c'});
		const {leftOut} = await taken(folder, change, () => meanwhile(folder));
		expect(treeOf(folder)).toEqual(tree);
		expect(leftOut.map(({why}) => why)).toContain('conflict');
	});

	it('brings a file back that the command changed, and that was deleted outside', async () => {
		const folder = folderWith({a: 'a'});
		await taken(
			folder,
			merged => writeFileSync(join(merged, 'a'), 'inside'),
			() => rmSync(join(folder, 'a')),
		);
		expect(treeOf(folder)).toEqual({a: 'file 644 inside'});
	});

	it('checks again at the moment of the change', async () => {
		const folder = folderWith({a: 'a', 'd/c': 'c'});
		const outside = folderWith({c: 'c'});
		const layer = layerOf(folder, merged => {
			writeFileSync(join(merged, 'a'), 'inside');
			writeFileSync(join(merged, 'd/c'), 'inside');
		});
		const {steps} = await planned(layer);
		writeFileSync(join(folder, 'a'), 'outside');
		renameSync(join(folder, 'd'), join(folder, 'e'));
		symlinkSync(outside, join(folder, 'd'));
		const {conflicts} = await takeOver({
			dir: join(folder, '../cell'),
			roots: [layer.path],
			steps,
			runGitStep: noGit,
		});
		expect(conflicts).toEqual([`${layer.path}/a`, `${layer.path}/d/c`]);
		expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('outside');
		expect(treeOf(outside)).toEqual({c: 'file 644 c'});
	});

	it('changes nothing outside of its roots', async () => {
		const folder = folderWith({a: 'a'});
		const other = folderWith({a: 'a'});
		const layer = layerOf(folder, merged => writeFileSync(join(merged, 'a'), 'inside'));
		const steps: Step[] = [
			{type: 'move', from: `${layer.upper}/a`, to: `${layerPath(other)}/a`},
			{type: 'remove', path: `${layer.path}/../a`},
		];
		await takeOver({dir: join(folder, '../cell'), roots: [layer.path], steps, runGitStep: noGit});
		expect([treeOf(folder), treeOf(other)]).toEqual([{a: 'file 644 a'}, {a: 'file 644 a'}]);
	});

	it('refuses more effects than its limit', async () => {
		const layer = layerOf(folderWith({}), merged => {
			for (let n = 0; n < 20; n++) writeFileSync(join(merged, String(n)), '');
		});
		expect(await listEffects(layer, 10)).toBeUndefined();
	});

	it(`makes the same tree as a run without a cell (INKPOD_SEED=${seed})`, async () => {
		const next = seededRandom(seed);
		for (let n = 0; n < scripts; n++) {
			const before = randomProject(next, 12);
			const script = randomScript(next, 1 + Math.floor(next() * 12));
			const [folder, plain] = [folderWith({}), folderWith({})];
			for (const {run} of before) for (const at of [folder, plain]) run(layerPath(at));
			for (const {run} of script) run(layerPath(plain));
			const {leftOut, conflicts} = await taken(folder, merged => {
				for (const {run} of script) run(layerPath(merged));
			});
			const shown = `${before.map(({shell}) => shell).join('\n')}\n--\n${script.map(({shell}) => shell).join('\n')}`;
			expect({leftOut, conflicts, shown, tree: treeOf(folder)}).toEqual({
				shown,
				leftOut: [],
				conflicts: [],
				tree: treeOf(plain),
			});
		}
	});

	it(`is finished after an end at any step (INKPOD_SEED=${seed})`, async () => {
		const next = seededRandom(seed);
		for (let n = 0; n < scripts / 4; n++) {
			const folder = folderWith({a: 'a', 'b/c': 'c', 'b/d/e': 'e'});
			const script = randomScript(next, 10);
			const layer = layerOf(folder, merged => {
				for (const {run} of script) run(layerPath(merged));
			});
			const merged = treeOf(join(folder, '../cell/merged0'));
			const {steps} = await planned(layer);
			const at = Math.floor(next() * (steps.length + 1));
			const interrupted = [...steps.slice(0, at), {...stop, gitDir: layer.path}, ...steps.slice(at)];
			let isKilled = true;
			const runGitStep = async () => {
				if (isKilled) throw new Error('killed');
				return noGit();
			};
			const dir = join(folder, '../cells/1');
			mkdirSync(join(folder, '../cells'));
			renameSync(join(folder, '../cell'), dir);
			const moved = interrupted.map(step =>
				'from' in step ? {...step, from: step.from.replace('/cell/', '/cells/1/')} : step,
			);
			const run = takeOver({dir, roots: [layer.path], steps: moved, runGitStep});
			await expect(run).rejects.toThrow('killed');
			isKilled = false;
			expect(await finishTakeOvers(join(folder, '../cells'), runGitStep)).toBe(1);
			expect(treeOf(folder)).toEqual(merged);
			expect(readdirSync(join(folder, '../cells'))).toEqual([]);
		}
	});

	it('runs no step of git where a link took the place of a folder', async () => {
		const folder = folderWith({'new/.git/HEAD': '', '../other/.git/HEAD': ''});
		const layer = layerOf(folder, () => {});
		renameSync(join(folder, 'new'), join(folder, 'old'));
		symlinkSync('../other', join(folder, 'new'));
		const gitDir = `${layer.path}/new/.git`;
		const steps: readonly Step[] = [
			{type: 'refs', gitDir, updates: []},
			{type: 'move_locked', from: `${layer.upper}/index`, to: `${gitDir}/index`, was: ''},
		];
		const ran: Step[] = [];
		const runGitStep = async (step: Step) => {
			ran.push(step);
			return noGit();
		};
		const {conflicts} = await takeOver({dir: join(folder, '../cell'), roots: [layer.path], steps, runGitStep});
		expect([ran, conflicts]).toEqual([[], [gitDir, `${gitDir}/index`]]);
	});

	it('takes nothing over if it was killed before its journal was whole', async () => {
		const folder = folderWith({a: 'a'});
		const dir = join(folder, '../cells/1');
		mkdirSync(dir, {recursive: true});
		writeFileSync(join(dir, 'journal.json'), '{"format":"inkpod.take-over/1","roots":["');
		expect(await finishTakeOvers(join(folder, '../cells'), noGit)).toBe(0);
		expect(lstatSync(dir, {throwIfNoEntry: false})).toBeUndefined();
	});
});

describe('the folder of a cell', () => {
	it('is removed with folders that cannot be entered', async () => {
		for (let n = 0; n < 5; n++) {
			const names = Array.from({length: 40}, (_, index) => [`upper0/${index}/a/b/c`, ''] as const);
			const folder = folderWith({'work0/work/': '', ...Object.fromEntries(names)});
			chmodSync(join(folder, 'work0/work'), 0);
			chmodSync(join(folder, 'upper0/1/a'), 0);
			await removeCell(folder);
			expect(lstatSync(folder, {throwIfNoEntry: false})).toBeUndefined();
		}
	});
});

const stop: Step = {type: 'refs', gitDir: '', updates: []};
