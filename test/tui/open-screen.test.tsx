import {EventEmitter} from 'node:events';
import {describe, expect, test} from 'vitest';
import type {Event, Method, PodClient, Receipt, Status} from '../../src/pod/protocol.ts';
import {createKeymap} from '../../src/tui/keys.ts';
import {openScreen, type Screen, type ScreenOptions} from '../../src/tui/open-screen.tsx';
import {createTheme} from '../../src/tui/theme.ts';
import {createScreen} from '../helpers/screen.ts';

const session = {id: 'S', model: 'test/model', scope: {pwd: '/p', writable: true, readRoots: []}};

/** A terminal of streams: what is written goes to a headless screen, what is typed comes from the test. */
function fakeTerminal(columns = 60, rows = 12) {
	const screen = createScreen(columns, rows);
	let written = '';
	const raw: boolean[] = [];
	const stdout = Object.assign(new EventEmitter(), {
		isTTY: true,
		columns,
		rows,
		write(text: string, ...rest: unknown[]) {
			written += text;
			// A tty turns newlines into both.
			void screen.write(Buffer.from(text.replaceAll('\n', '\r\n')));
			const done = rest.find(argument => typeof argument === 'function') as (() => void) | undefined;
			done?.();
			return true;
		},
	});
	const stdin = Object.assign(new EventEmitter(), {isTTY: true, setRawMode: (on: boolean) => void raw.push(on), resume() {}, pause() {}, ref() {}, unref() {}, read: () => null, setEncoding() {}});
	return {screen, raw, written: () => written, type: (keys: string) => stdin.emit('data', Buffer.from(keys)), stdin: stdin as never, stdout: stdout as never};
}

function open(terminal: ReturnType<typeof fakeTerminal>, welcome: ScreenOptions['welcome'] = [[{text: 'welcome'}]]): Screen {
	const screen = openScreen({stdin: terminal.stdin, stdout: terminal.stdout, session, welcome, theme: createTheme(0), keymap: createKeymap().keymap, parts: []});
	return screen;
}

/** A pod that does nothing but remember what it was told. */
function fakePod(status: Status = {kind: 'idle', asks: [], queue: []}): PodClient & {readonly said: Method[]; tell(event: Event): void; receipt: Receipt} {
	const listeners = new Set<(event: Event) => void>();
	const said: Method[] = [];
	return {
		said,
		receipt: {accepted: true},
		tell: event => listeners.forEach(listener => listener(event)),
		subscribe(listener) {
			listeners.add(listener);
			listener({type: 'snapshot', session, items: [], tail: [], status});
			return () => listeners.delete(listener);
		},
		async send(method) {
			said.push(method);
			return this.receipt;
		},
		complete: async query => ({query, matches: [], indexing: false}),
		preflight: async segments => ({segments, refs: [], tokens: 0}),
		workflows: async () => [],
		mcp: async () => [],
		ledger: async () => ({model: '', rows: [], totals: [], bytes: 0, tokens: 0}),
		stale: async () => [],
	};
}

const until = async (condition: () => boolean, shown = () => '') => {
	const end = Date.now() + 20_000;
	while (!condition()) {
		if (Date.now() > end) throw new Error(`it did not come about:\n${shown()}`);
		await new Promise(resolve => setImmediate(resolve));
	}
};

describe('the screen', () => {
	test('whose component throws, gives the terminal back and rejects', async () => {
		const terminal = fakeTerminal();
		const broken = open(terminal, [[{text: undefined as unknown as string}]]);
		await expect(broken.closed).rejects.toThrow(/./);
		expect(terminal.written()).toMatch(/\x1b\[\?1049l/);
		expect(terminal.written().lastIndexOf('\x1b[?2004l')).toBeGreaterThan(terminal.written().lastIndexOf('\x1b[?2004h'));
		expect(terminal.raw).toEqual([true, false]);
	});

	test('before there is a pod, takes a draft and holds what is sent until there is one', async () => {
		const terminal = fakeTerminal();
		const screen = open(terminal);
		const pod = fakePod();
		terminal.type('hello');
		terminal.type('\r');
		await until(() => terminal.screen.text().includes('sending'));
		await screen.connect(pod, '');
		await until(() => pod.said.length > 0);
		expect(pod.said).toEqual([{method: 'run', segments: [{type: 'text', text: 'hello'}]}]);
		screen.close();
		await screen.closed;
	});

	test('that hears Ctrl+C right behind Enter, cancels what was sent', async () => {
		const terminal = fakeTerminal();
		const screen = open(terminal);
		const pod = fakePod();
		await screen.connect(pod, '');
		terminal.type('first');
		terminal.type('\r');
		terminal.type('\x03');
		await until(() => pod.said.length > 1);
		expect(pod.said.map(({method}) => method)).toEqual(['run', 'cancel']);
		screen.close();
		await screen.closed;
	});

	test('of a pod that refuses, gives the draft back and says why', async () => {
		const terminal = fakeTerminal();
		const screen = open(terminal);
		const pod = fakePod();
		pod.receipt = {accepted: false, code: 'workflow', sentence: 'There is no workflow /nope.'};
		await screen.connect(pod, '');
		terminal.type('/nope');
		terminal.type('\r');
		await until(() => terminal.screen.text().includes('There is no workflow /nope.') && terminal.screen.text().includes('❯ /nope'), () => terminal.screen.text());
		screen.close();
		await screen.closed;
	});

	test('with a card, answers it by its key, and what is no answer reaches the draft', async () => {
		const terminal = fakeTerminal(60, 20);
		const screen = open(terminal);
		const ask = {id: 'a', title: 'Read a secret?', detail: '.env', choices: [{choice: 'allow', label: 'Yes, this once'}, {choice: 'deny', label: 'No'}]};
		const pod = fakePod({kind: 'running', asks: [ask], queue: []});
		await screen.connect(pod, '');
		await until(() => terminal.screen.text().includes('Read a secret?'));
		terminal.type('x');
		terminal.type('\x1b');
		await until(() => pod.said.length > 0);
		expect(pod.said).toEqual([{method: 'answer', askId: 'a', choice: 'deny'}]);
		expect(terminal.screen.text()).toContain('❯ x');
		screen.close();
		await screen.closed;
	});

	test('that is quit, shuts the pod down before it leaves', async () => {
		const terminal = fakeTerminal();
		const screen = open(terminal);
		const pod = fakePod();
		await screen.connect(pod, '');
		terminal.type('\x04');
		await screen.closed;
		expect(pod.said).toEqual([{method: 'shutdown'}]);
	});
});
