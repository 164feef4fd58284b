import {pressExternalEditor} from '../../../../src/screen/control/drafts/external-editor.ts';
import {access, chmod} from 'node:fs/promises';
import {describe, expect, it, vi} from 'vitest';
import {flatten} from '../../../../src/pod/protocol.ts';
import {update, type App} from '../../../../src/screen/control/app.ts';
import {toSegments} from '../../../../src/screen/editor/segments.ts';
import {makeKey} from '../../../../src/screen/terminal/input/keys/key-names.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {testApp} from '../../../helpers/test-app.ts';

type Way = {
	readonly meanwhile?: (app: App, marker: string) => unknown;
	/** Whether the editor runs until it is ended. */ readonly stays?: boolean;
	readonly env?: Readonly<Record<string, string>>;
};

/** Returns an app whose editor replaces the draft by `left`. `meanwhile` runs while the editor has the terminal. */
async function editing(left: string, {meanwhile, stays = false, env = {}}: Way = {}) {
	const project = await tempProject();
	const marker = project.path('marker');
	const editor = await project.write(
		'editor',
		`#!/bin/sh\nprintf '%s' "${left}" > "$1"\ntouch '${marker}'\n${stays ? 'exec sleep 60' : ''}\n`,
	);
	await chmod(editor, 0o755);
	const done = Promise.withResolvers<void>();
	const nothing = () => {};
	const session = {id: 'S', model: 'm', scope: {pwd: '/p', writable: true, readRoots: []}};
	let handed = 0;
	const app = testApp(
		{
			session,
			env: {...env, EDITOR: editor},
			now: () => 0,
			async onLend(program) {
				handed++;
				await Promise.all([program(), meanwhile?.(app, marker)]);
				queueMicrotask(() => queueMicrotask(done.resolve));
				return true;
			},
		},
		{columns: 80, rows: 24},
		nothing,
	);
	update(app, {type: 'insert', text: 'before'});
	const press = () => pressExternalEditor(app, makeKey('g', {ctrl: true}));
	return {
		app,
		press,
		done: done.promise,
		handed: () => handed,
		draft: () => flatten(toSegments(app.state.composer.editor.draft)),
	};
}

describe('the external editor', () => {
	it('replaces the message, and opens once when Ctrl+G is pressed twice', async () => {
		const {press, done, draft, handed} = await editing('after\n');
		expect([press(), press()]).toEqual([true, true]);
		await done;
		expect(draft()).toBe('after');
		expect(handed()).toBe(1);
	});

	it('loses no text when a refused message was returned in the meantime', async () => {
		const {press, done, draft} = await editing('after', {
			meanwhile: app => update(app, {type: 'returned', segments: [{type: 'text', text: 'refused'}]}),
		});
		press();
		await done;
		expect(draft()).toBe('after\nrefused\nbefore');
	});

	it('returns the saved text and ends when you leave the screen', async () => {
		const {press, done, draft} = await editing('saved', {
			stays: true,
			async meanwhile(app, marker) {
				await vi.waitFor(async () => access(marker), {timeout: 20_000});
				app.dispatch({type: 'leave screen'});
			},
		});
		press();
		await done;
		expect(draft()).toBe('saved');
	});

	it('uses the given environment, and no other', async () => {
		const {press, done, draft} = await editing('$WORD$HOME', {env: {WORD: 'given'}});
		press();
		await done;
		expect(draft()).toBe('given');
	});

	it('leaves other keys alone', async () => {
		const {app} = await editing('');
		expect(pressExternalEditor(app, makeKey('x', {text: 'x'}))).toBe(false);
	});
});
