import {chmod, readdir, readFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {chordOf, createKeymap, type ActionName} from '../../../../src/screen/model/keys/keymap.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {blockSources} from '../../../../src/screen/rows/block-sources.ts';
import {fold} from '../../../../src/transcript/fold.ts';
import {emptyFold} from '../../../../src/transcript/fold-state.ts';
import {fakeApp, fakePod, idle, settled, until} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';
import {situations} from '../../../helpers/situations.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {rowsAbove} from '../../../../src/screen/view/layout.ts';

const keymap = {
	...createKeymap().keymap,
	action: (key: Parameters<typeof chordOf>[0]) =>
		({'alt+v': 'open in pager', 'alt+e': 'open in editor'}[chordOf(key)] as ActionName | undefined) ??
		createKeymap().keymap.action(key),
};

/** Returns an app with a pager and an editor that record their input. */
async function opening(items: readonly Item[], script = '') {
	const project = await tempProject();
	const program = await project.write(
		'program',
		`#!/bin/sh\nPATH=/usr/bin:/bin\ncat "$1" > '${project.path('seen')}'\n` +
			`printf %s "$1" > '${project.path('path')}'\nstat -c %a "$1" > '${project.path('mode')}'\n` +
			`${script}\n`,
	);
	await chmod(program, 0o755);
	let over = 0;
	const made = await fakeApp(fakePod(idle, items), {
		keymap,
		env: {PAGER: program, EDITOR: program, PATH: '/nowhere'},
		async onLend(run) {
			await run();
			over++;
			return true;
		},
	});
	made.pod.emit({type: 'status', status: idle});
	draw(made.app, {columns: 60, rows: 30});
	await settled();
	await import('../../../../src/screen/rows/block-sources.ts');
	await settled();
	const seen = async () => readFile(project.path('seen'), 'utf8');
	return {
		...made,
		project,
		seen,
		done: async (count = 1) => until(() => over === count),
		list: () => rowsAbove(draw(made.app, {columns: 60, rows: 30})).map(plainText),
	};
}

describe('a block to open', () => {
	it('is sent to the pager at once when it is alone, byte for byte, in its own temporary file', async () => {
		const text = 'no final newline, a tab\tand 日本';
		const {press, done, seen, project} = await opening([createItems().user(text)]);
		press('v', {alt: true});
		await done();
		expect(await seen()).toBe(text);
		expect(await readFile(project.path('mode'), 'utf8')).toBe('600\n');
		const path = await readFile(project.path('path'), 'utf8');
		expect(path).toContain(tmpdir());
		await settled();
		expect(
			await readdir(path.slice(0, path.lastIndexOf('/'))).catch(error => (error as NodeJS.ErrnoException).code),
		).toBe('ENOENT');
	});

	it('is chosen from a list when several are on the screen', async () => {
		const make = createItems();
		const {press, done, seen, list, draft} = await opening([
			make.user('one'),
			make.file('a.ts', 'two\n'),
			make.assistant('three'),
		]);
		press('e', {alt: true});
		expect(list()).toEqual([
			'View raw in editor · 3 of 3 · Enter open · Esc close',
			'  Message: one',
			'  File a.ts',
			'❯ Answer: three',
		]);
		press('up');
		press('enter');
		await done();
		expect(await seen()).toBe('[File: a.ts]\ntwo\n');
		expect(list()).toEqual([]);
		expect(draft()).toEqual([]);
	});

	it('is preselected when it is the result of a call, and typing closes the list and is kept', async () => {
		const make = createItems();
		const {press, list, type, draft} = await opening([
			make.call('1', 'bash', {command: 'ls'}),
			make.result('1', 'exit 0', 'a\n'),
		]);
		press('v', {alt: true});
		expect(list().slice(1)).toEqual(['  bash · arguments', '❯ bash · output']);
		type('x');
		expect(list()).toEqual([]);
		expect(draft()).toEqual([{type: 'text', text: 'x'}]);
	});

	it('is refused with a sentence when it contains control characters that the pager may not show', async () => {
		const {press, told} = await opening([createItems().user('a\u001b[2Jb')]);
		press('v', {alt: true});
		await until(() => told().length > 0);
		expect(told()[0]).toContain('control characters');
	});

	it('is reported as a copy when the editor changed it', async () => {
		const {press, told, done} = await opening([createItems().user('a')], 'echo more >> "$1"');
		press('e', {alt: true});
		await done();
		await until(() => told().length > 0);
		expect(told()[0]).toContain('never change');
	});
});

it.each(Object.keys(situations))('the texts to open in %s are the texts of its items', name => {
	const {items} = situations[name]!();
	const state = emptyFold();
	for (const item of items) fold(state, item);
	const texts = state.blocks.flatMap(block => blockSources(block)).map(({text}) => text);
	for (const item of items) {
		const stored =
			item.type === 'message' || item.type === 'reasoning'
				? item.text
				: item.type === 'tool_call'
					? item.arguments
					: item.type === 'tool_result'
						? item.content
						: undefined;
		if (stored !== undefined) expect(texts).toContain(stored);
		else expect(texts.some(text => text.includes(JSON.stringify(item.id)))).toBe(true);
	}
	for (const {name: title} of state.blocks.flatMap(block => blockSources(block)))
		expect(title).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});
