import {describe, expect, it} from 'vitest';
import type {Ask, ChangedFile} from '../../../src/pod/protocol.ts';
import {draw} from '../../../src/screen/mount/open-screen.ts';
import {connect} from '../../../src/screen/control/pod-events.ts';
import {pasteText, pressKey} from '../../../src/screen/control/keys/keys-in.ts';
import {type App} from '../../../src/screen/control/app.ts';
import {toSegments} from '../../../src/screen/editor/segments.ts';
import {holdKeys} from '../../../src/screen/control/hold-keys.ts';
import {layoutOf, rowsAbove} from '../../../src/screen/view/layout.ts';
import {plainText} from '../../../src/screen/spans/row.ts';
import {makeKey} from '../../../src/screen/terminal/input/keys/key-names.ts';
import {fakeApp, fakePod, idle, running, session, settled, until} from '../../helpers/fake-app.ts';
import {createItems} from '../../helpers/items.ts';
import {testApp} from '../../helpers/test-app.ts';

const ask: Ask = {
	id: 'q',
	title: 'Run it?',
	detail: 'x',
	choices: [
		{choice: 'allow', label: 'Yes'},
		{choice: 'deny', label: 'No', refuses: true, reason: true},
	],
};

/** Returns a screen without a pod. */
function unopened(): App {
	return testApp({session, now: () => 0}, {columns: 80, rows: 24}, () => {});
}

function type(app: App, text: string): void {
	for (const letter of text) pressKey(app, letter === '\r' ? makeKey('enter') : makeKey(letter, {text: letter}));
}

const draftOf = (app: App) =>
	toSegments(app.state.composer.editor.draft)
		.map(segment => (segment.type === 'text' ? segment.text : segment.type))
		.join('');
const above = (app: App) =>
	rowsAbove(draw(app, {columns: 80, rows: 24}))
		.map(plainText)
		.join('\n');

/** Opens something when the test resolves it. */
function opening(app: App) {
	const {promise, resolve, reject} = Promise.withResolvers<boolean>();
	const held = holdKeys(app, async () => promise).catch(() => {});
	return {resolve, reject, held};
}

describe('keys that arrive while something opens', () => {
	it('arrive in order, including pastes', async () => {
		const {app, type: typeKeys} = await fakeApp();
		const query = () => layoutOf(app.state).above.search.map(plainText).join('');
		const {resolve, held} = opening(app);
		typeKeys('ab');
		pasteText(app, 'p', false);
		pressKey(app, makeKey('backspace'));
		expect(query()).toBe('');
		app.dispatch({type: 'open search'});
		resolve(true);
		await held;
		expect(query()).toMatch(/^Search: ab /);
		typeKeys('c');
		expect(query()).toMatch(/^Search: abc /);
	});

	it.each([
		[
			'does not open',
			async (o: ReturnType<typeof opening>) => {
				o.resolve(false);
			},
		],
		[
			'fails',
			async (o: ReturnType<typeof opening>) => {
				o.reject(new Error('gone'));
			},
		],
	])('go to the message when it %s, and no Enter among them sends it', async (_, end) => {
		const {app, pod} = await fakeApp();
		const o = opening(app);
		type(app, 'nee\rdle\r');
		pasteText(app, '!', false);
		pressKey(app, makeKey('backspace'));
		await end(o);
		await o.held;
		await settled();
		expect([draftOf(app), pod.said]).toEqual(['needle', []]);
	});

	it('go to a new line after an existing message', async () => {
		const {app} = await fakeApp();
		type(app, 'a draft');
		const o = opening(app);
		type(app, 'needle');
		o.resolve(false);
		await o.held;
		expect(draftOf(app)).toBe('a draft\nneedle');
	});

	it('return to the message on Ctrl+C, and reach nothing that opens later', async () => {
		const {app, pod} = await fakeApp();
		const o = opening(app);
		type(app, 'needle');
		pressKey(app, makeKey('c', {ctrl: true}));
		expect(draftOf(app)).toBe('needle');
		o.resolve(true);
		await o.held;
		expect([draftOf(app), pod.said]).toEqual(['needle', []]);
	});

	it.each(['on Ctrl+C', 'when it does not open'])('never go to the message %s if they may be a key', async end => {
		const {app} = await fakeApp();
		const {promise, resolve} = Promise.withResolvers<boolean>();
		const held = holdKeys(app, async () => promise, true);
		type(app, 'sk-');
		pasteText(app, 'secret', false);
		if (end === 'on Ctrl+C') pressKey(app, makeKey('c', {ctrl: true}));
		resolve(false);
		await held;
		expect(draftOf(app)).toBe('');
		expect(JSON.stringify(app.state.alerts)).toContain(
			'inkpod discarded what you typed, because it may be an API key.',
		);
	});

	it('answer no card that appears in the meantime, and Enter among them sends nothing', async () => {
		const {app, pod, turn} = await fakeApp();
		const o = opening(app);
		type(app, '1\r');
		turn({...running, asks: [ask]});
		o.resolve(true);
		await o.held;
		await settled();
		expect([draftOf(app), pod.said]).toEqual(['1', []]);
	});

	it('keep waiting when one of them opens something else', async () => {
		const {app} = await fakeApp(undefined, {});
		const o = opening(app);
		type(app, '/help\rq');
		o.resolve(true);
		await o.held;
		expect(app.state.keys.hold?.inputs).toHaveLength(1);
		await until(() => app.state.keys.hold === undefined);
		expect(JSON.stringify(app.state.page)).toContain('"q"');
		expect(draftOf(app)).toBe('');
	});

	it('are limited in number', async () => {
		const {app} = await fakeApp();
		opening(app);
		type(app, 'x'.repeat(10_001));
		expect([app.state.keys.hold, draftOf(app).length]).toEqual([undefined, 10_001]);
	});
});

describe('a session that is still loading', () => {
	it('keeps the query of a search for the search', async () => {
		const app = unopened();
		pressKey(app, makeKey('f3'));
		type(app, 'needle\r');
		expect(draftOf(app)).toBe('');
		const pod = fakePod();
		await connect(app, pod);
		await settled();
		expect(above(app)).toContain('Search: needle');
		expect([draftOf(app), pod.said]).toEqual(['', []]);
	});

	it('keeps the keys for the list of messages, or for the draft if the list is empty', async () => {
		const app = unopened();
		pressKey(app, makeKey('escape'));
		pressKey(app, makeKey('escape'));
		type(app, 'abc\r');
		expect(draftOf(app)).toBe('');
		const pod = fakePod();
		await connect(app, pod);
		await until(() => app.state.keys.hold === undefined);
		expect([app.state.page, draftOf(app), pod.said]).toEqual([undefined, 'abc', []]);
	});

	it.each(['/context', '/workflows', '/mcp', '/rewind', '/help'])(
		'does not send text that you type after %s',
		async command => {
			const app = unopened();
			// Enter in the list of messages would rewind, so the list gets letters only.
			type(app, `${command}\rabc${command === '/rewind' ? '' : '\r'}`);
			const make = createItems();
			const pod = fakePod(idle, [make.setup(), make.user('one'), make.assistant('two')]);
			await connect(app, pod);
			await until(() => app.state.keys.hold === undefined);
			await settled();
			expect([draftOf(app), pod.said]).toEqual(['', []]);
		},
	);

	it('keeps the keys for the list of texts to open in the pager', async () => {
		const app = unopened();
		pressKey(app, makeKey('v', {alt: true}));
		type(app, 'q\r');
		const pod = fakePod();
		await connect(app, pod);
		await until(() => app.state.keys.hold === undefined);
		expect([draftOf(app), pod.said]).toEqual(['q', []]);
	});
});

describe('the switch to another session', () => {
	it.each([
		['new', ''],
		['resume abc', ''],
		['fork', ''],
		['resume', 'fix it'],
	])('keeps your typing after /%s and sends none of it', async (command, toList) => {
		const gone: unknown[] = [];
		const ready = Promise.withResolvers<void>();
		const {app, pod} = await fakeApp(undefined, {
			async onSwitch() {
				await ready.promise;
				return {ok: true, leave: (draft, typed) => void gone.push(draft, typed)};
			},
		});
		type(app, `/${command}\rfix it\r`);
		ready.resolve();
		await until(() => gone.length > 0);
		expect(gone).toEqual([toList === '' ? [{type: 'text', text: 'fix it'}] : [], toList]);
		expect(pod.said).toEqual([]);
	});

	it('returns your typing to the message when the other session cannot be opened', async () => {
		const {app, pod, told} = await fakeApp(undefined, {
			onSwitch: async () => ({ok: false, sentence: 'No such session.'}),
		});
		type(app, '/resume abc\rfix it\r');
		await until(() => app.state.keys.hold === undefined);
		expect([draftOf(app), told(), pod.said]).toEqual(['/resume abc\nfix it', ['No such session.'], []]);
	});
});

describe('input during a rewind', () => {
	it('answers no question about files, and goes to the message', async () => {
		const make = createItems();
		const files: readonly ChangedFile[] = [
			{state: 'tools', real: '/p/a', path: 'a', present: 'x', diff: '@@ -1,1 +1,1 @@\n-a\n+b\n'},
		];
		const asked = Promise.withResolvers<readonly ChangedFile[]>();
		const pod = {
			...fakePod(idle, [make.setup(), make.user('one'), make.assistant('two')]),
			filesSince: async () => asked.promise,
		};
		const {app} = await fakeApp(pod);
		type(app, '/rewind\r\r');
		await until(() => pod.said.length > 0);
		type(app, '1\ry\r');
		asked.resolve(files);
		await until(() => app.state.asks.card !== undefined);
		draw(app, {columns: 80, rows: 24});
		expect(pod.said.map(({method}) => method)).toEqual(['rewind']);
		pressKey(app, makeKey('escape'));
		await settled();
		expect(pod.said.map(({method}) => method)).toEqual(['rewind']);
	});
});

describe('the editor and the pager', () => {
	it('leave your typing in the message when they cannot be started', async () => {
		const {app, pod} = await fakeApp();
		pressKey(app, makeKey('g', {ctrl: true}));
		type(app, 'hello\r');
		await until(() => app.state.keys.hold === undefined);
		expect([draftOf(app), pod.said]).toEqual(['hello', []]);
	});
});
