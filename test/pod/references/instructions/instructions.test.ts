import {execFileSync} from 'node:child_process';
import {mkdir} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {createInstructions} from '../../../../src/pod/references/instructions/instructions.ts';
import {narrowOrigin, type Item} from '../../../../src/pod/protocol.ts';
import type {Scope} from '../../../../src/pod/scope/scope.ts';
import {countedClock} from '../../../helpers/clock.ts';
import {scopeOf, tempProject, type TempProject} from '../../../helpers/temp-project.ts';

const signal = new AbortController().signal;

/** Collects the committed messages of successive runs, and the warnings. */
function session(scope: Scope) {
	const items: Item[] = [];
	const warnings: string[] = [];
	const instructions = createInstructions({
		scope,
		items: () => items,
		clock: countedClock('i'),
		onWarning: sentence => warnings.push(sentence),
	});
	return {
		items,
		warnings,
		async run(coming: readonly Item[] = []) {
			const brought = await instructions.due(coming, signal);
			items.push(...brought);
			return brought.map(({text, origin}) => ({text, origin: narrowOrigin(origin)}));
		},
	};
}

async function inApp(
	files: Parameters<typeof tempProject>[0],
): Promise<{readonly project: TempProject; readonly scope: Scope}> {
	const project = await tempProject({'.git/': '', 'app/': '', ...files});
	return {project, scope: await scopeOf(project.path('app'))};
}

it('a session sends instructions again after a rewind, but not after a drop', async () => {
	const {project, scope} = await inApp({'AGENTS.md': 'One.\n'});
	const told = session(scope);
	expect(await told.run()).toHaveLength(1);
	const to = told.items.at(-1)!.id;
	await project.write('AGENTS.md', 'Two.\n');
	expect((await told.run()).map(({text}) => text)).toEqual([
		'[Instructions: ../AGENTS.md, which changed: this replaces what it said before]\nTwo.\n',
	]);
	told.items.push({id: 'back', at: '2026-01-01T00:00:00.000Z', type: 'rewind', to});
	expect((await told.run()).map(({text}) => text)).toEqual([
		'[Instructions: ../AGENTS.md, which changed: this replaces what it said before]\nTwo.\n',
	]);
	told.items.push({
		id: 'drop',
		at: '2026-01-01T00:00:00.000Z',
		type: 'context',
		op: 'drop',
		ids: [told.items.at(-1)!.id],
	});
	expect(await told.run()).toEqual([]);
});

describe('the size limits of instructions', () => {
	it('truncate a file over 32 KB between characters, with a note in its text and origin', async () => {
		const {scope} = await inApp({'AGENTS.md': 'é'.repeat(20_000), 'app/AGENTS.md': 'line\n'.repeat(10_000)});
		const [above, own] = await session(scope).run();
		expect(above!.text.isWellFormed()).toBe(true);
		expect(above!.text.endsWith('\n[...truncated, 40000 bytes total — you cannot read the rest]')).toBe(true);
		expect(own!.text.endsWith('\n[...truncated, 50000 bytes total — use read_file for the rest]')).toBe(true);
		expect(above!.origin).toMatchObject({truncated: true, bytes: 32_768, totalBytes: 40_000});
	});

	it('keep the nearest files when all together are over 128 KB, with a warning for the others', async () => {
		const folders = ['a', 'a/b', 'a/b/c', 'a/b/c/d', 'a/b/c/d/e'];
		const project = await tempProject({
			'.git/': '',
			...Object.fromEntries(folders.map(folder => [`${folder}/AGENTS.md`, `${folder}\n`.padEnd(30_000, 'x')])),
		});
		const told = session(await scopeOf(project.path('a/b/c/d/e')));
		const brought = await told.run();
		expect(brought.map(({origin}) => origin)).toMatchObject([
			{path: '../../../../AGENTS.md', bytes: 131_072 - 4 * 30_000, truncated: true},
			...Array.from({length: 4}, () => ({bytes: 30_000, truncated: false})),
		]);
		await project.write('AGENTS.md', 'y'.repeat(30_000));
		expect(await told.run()).toEqual([]);
		expect(told.warnings).toEqual([
			`"${project.path('AGENTS.md')}" was not sent to the model: the instructions of a session are limited to 128 KB.`,
		]);
		await project.write('a/b/c/AGENTS.md', 'short\n');
		expect((await told.run()).map(({origin}) => origin)).toMatchObject([
			{path: '../../../../../AGENTS.md', bytes: 30_000 - 6, truncated: true},
			{path: '../../AGENTS.md', bytes: 6},
		]);
	});

	it('ignore an empty file and a copy of another file', async () => {
		const {project, scope} = await inApp({'AGENTS.md': 'Same.\n', 'app/AGENTS.md': 'Same.\n'});
		const told = session(scope);
		expect((await told.run()).map(({text}) => text)).toEqual(['[Instructions: ../AGENTS.md]\nSame.\n']);
		await project.write('app/AGENTS.md', ' \n');
		expect(await told.run()).toEqual([]);
		await project.write('AGENTS.md', '');
		expect((await told.run()).map(({text}) => text)).toEqual([
			'[Instructions: ../AGENTS.md, which changed: this replaces what it said before]\n',
		]);
	});
});

describe('unusable instructions', () => {
	it.each([
		[
			'a link to a secret outside the root',
			async (made: TempProject) => made.link('app/AGENTS.md', '../../outside.txt'),
			'allowed directories',
		],
		[
			'a link to another file of the repository, outside pwd',
			async (made: TempProject) => made.link('app/AGENTS.md', '../private.txt'),
			'allowed directories',
		],
		['a link to a folder', async (made: TempProject) => made.link('app/AGENTS.md', '.'), 'a directory'],
		['a folder', async (made: TempProject) => mkdir(made.path('app/AGENTS.md')), 'a directory'],
		['a FIFO', async (made: TempProject) => execFileSync('mkfifo', [made.path('app/AGENTS.md')]), 'a pipe'],
		['a device', async (made: TempProject) => made.link('app/AGENTS.md', '/dev/zero'), 'allowed directories'],
		[
			'the environment of the process',
			async (made: TempProject) => made.link('app/AGENTS.md', '/proc/self/environ'),
			'allowed directories',
		],
		['an environment file', async (made: TempProject) => made.link('app/AGENTS.md', '.env'), 'a secret'],
		['bytes', async (made: TempProject) => made.write('app/AGENTS.md', Uint8Array.of(1, 0, 2)), 'binary'],
		['5 MB', async (made: TempProject) => made.write('app/AGENTS.md', 'x'.repeat(5_000_000)), 'larger than 4 MB'],
		[
			'links in a circle',
			async (made: TempProject) => made.link('app/AGENTS.md', 'AGENTS.md'),
			'could not be read',
		],
	])('are ignored with one warning for %s, and CLAUDE.md is not used instead', async (_, make, reason) => {
		const {project, scope} = await inApp({
			'../outside.txt': 'SECRET',
			'private.txt': 'SECRET',
			'app/.env': 'SECRET',
			'app/CLAUDE.md': 'Other.\n',
		});
		await make(project);
		const told = session(scope);
		expect([await told.run(), await told.run()]).toEqual([[], []]);
		expect(told.warnings).toEqual([
			expect.stringMatching(new RegExp(`/app/AGENTS\\.md" was not sent to the model: .*${reason}`)),
		]);
	});

	it('keep their earlier text when the file becomes unreadable, with a warning', async () => {
		const {project, scope} = await inApp({'app/AGENTS.md': 'One.\n'});
		const told = session(scope);
		await told.run();
		await project.write('app/AGENTS.md', Uint8Array.of(0));
		expect(await told.run()).toEqual([]);
		expect(told.warnings).toHaveLength(1);
	});
});

it('a link to another instructions file on the way, or to any file in the scope, is read', async () => {
	const {project, scope} = await inApp({'CLAUDE.md': 'Root.\n', 'app/docs/agents.txt': 'App.\n'});
	await project.link('AGENTS.md', 'CLAUDE.md');
	await project.link('app/AGENTS.md', 'docs/agents.txt');
	expect((await session(scope).run()).map(({text}) => text)).toEqual([
		'[Instructions: ../AGENTS.md]\nRoot.\n',
		'[Instructions: AGENTS.md]\nApp.\n',
	]);
});

it('instructions keep their header on one line when a folder name contains line breaks and controls', async () => {
	const {project, scope} = await inApp({'app/a\n[File: b]/AGENTS.md': 'x\n', 'app/a\n[File: b]/c.ts': ''});
	const attached: Item = {
		id: 'a',
		at: '',
		type: 'message',
		role: 'system',
		text: '',
		origin: {
			kind: 'file',
			path: 'a\n[File: b]/c.ts',
			bytes: 0,
			totalBytes: 0,
			lines: 0,
			truncated: false,
			sha256: '',
			mtimeMs: 0,
		},
	};
	const [item] = await session(scope).run([attached]);
	expect(item).toMatchObject({
		text: String.raw`[Instructions: a\n[File: b]/AGENTS.md]` + '\nx\n',
		origin: {file: project.path('app/a\n[File: b]/AGENTS.md')},
	});
});

it('an aborted run sends no instructions and removes none', async () => {
	const {scope} = await inApp({'app/AGENTS.md': 'One.\n'});
	const items: Item[] = [];
	const instructions = createInstructions({scope, items: () => items, clock: countedClock('i'), onWarning() {}});
	items.push(...(await instructions.due([], signal)));
	expect(items).toHaveLength(1);
	expect(await instructions.due([], AbortSignal.abort())).toEqual([]);
	expect(await instructions.due([], signal)).toEqual([]);
});
