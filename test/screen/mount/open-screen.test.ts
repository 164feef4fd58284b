import {describe, expect, it} from 'vitest';
import {createKeymap} from '../../../src/screen/model/keys/keymap.ts';
import {openScreen, type Screen, type ScreenOptions} from '../../../src/screen/mount/open-screen.ts';
import {assumedGround} from '../../../src/screen/spans/palettes.ts';
import {createTheme} from '../../../src/screen/spans/theme.ts';
import {fullScreen} from '../../helpers/fake-chat.ts';
import {fakeTerminal, type FakeTerminal} from '../../helpers/fake-terminal.ts';
import {fakePod, session} from '../../helpers/fake-app.ts';
import {programsIn} from '../../helpers/programs.ts';

function open(
	terminal: FakeTerminal,
	welcome: ScreenOptions['welcome'] = [[{text: 'welcome'}]],
	look: Partial<Pick<ScreenOptions, 'theme' | 'assumedGround'>> = {},
): Screen {
	const screen = openScreen({
		stdin: terminal.stdin,
		stdout: terminal.stdout,
		session,
		welcome,
		theme: createTheme(0),
		keymap: createKeymap().keymap,
		programs: async () => programsIn({}),
		view: fullScreen,
		...look,
	});
	return screen;
}

const until = async (condition: () => boolean | Promise<boolean>) => {
	const end = Date.now() + 20_000;
	while (!(await condition())) {
		if (Date.now() > end) throw new Error('it did not come about');
		await new Promise(resolve => setImmediate(resolve));
	}
};

describe('the screen', () => {
	it('restores the terminal and rejects its promise when it cannot be drawn', async () => {
		const terminal = fakeTerminal();
		const broken = open(terminal, [[{text: undefined as unknown as string}]]);
		await expect(broken.closed).rejects.toThrow(/./);
		expect(terminal.writes.join('')).toMatch(/\x1b\[\?1049l/);
		expect(terminal.writes.join('').lastIndexOf('\x1b[?2004l')).toBeGreaterThan(
			terminal.writes.join('').lastIndexOf('\x1b[?2004h'),
		);
		expect(terminal.raw).toEqual([true, false]);
	});

	it('accepts messages before a pod is connected, and sends them then', async () => {
		const terminal = fakeTerminal();
		const screen = open(terminal);
		const pod = fakePod();
		terminal.type('hello');
		terminal.type('\r');
		await until(async () => (await terminal.shown()).text().includes('sending'));
		await screen.connect(pod, '');
		await until(() => pod.said.length > 0);
		expect(pod.said).toEqual([{method: 'run', segments: [{type: 'text', text: 'hello'}]}]);
		screen.close();
		await screen.closed;
	});

	it('cancels the message when Ctrl+C follows Enter', async () => {
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

	it('returns the message and shows the reason when the pod refuses', async () => {
		const terminal = fakeTerminal();
		const screen = open(terminal);
		const pod = fakePod();
		pod.answer = async () => ({accepted: false, code: 'workflow', sentence: 'Unknown command /nope.'});
		await screen.connect(pod, '');
		terminal.type('/nope');
		terminal.type('\r');
		await until(async () => /Unknown command \/nope\.[^]*❯ \/nope/.test((await terminal.shown()).text()));
		screen.close();
		await screen.closed;
	});

	it('answers a card with its keys, and sends other keys to the message', async () => {
		const terminal = fakeTerminal(60, 20);
		const screen = open(terminal);
		const ask = {
			id: 'a',
			title: 'Read a secret?',
			detail: '.env',
			choices: [
				{choice: 'allow', label: 'Yes, this once'},
				{choice: 'deny', label: 'No'},
			],
		};
		const pod = fakePod({kind: 'running', asks: [ask], queue: []});
		await screen.connect(pod, '');
		await until(async () => (await terminal.shown()).text().includes('Esc: '));
		terminal.type('x');
		await until(async () => (await terminal.shown()).text().includes('Enter to answer "No"; your text stays here'));
		// Esc answers a card only when it was on the screen for 400 ms.
		await new Promise(resolve => setTimeout(resolve, 500));
		terminal.type('\x1b[27u');
		await until(() => pod.said.length > 0);
		expect(pod.said).toEqual([{method: 'answer', askId: 'a', choice: 'deny'}]);
		await until(async () => (await terminal.shown()).text().includes('❯ x'));
		screen.close();
		await screen.closed;
	});

	it.each([
		['\x1b[?62;c', 'the tint of the assumed background', [55, 55, 55]],
		['\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;c', 'that of the background in an earlier answer', [237, 237, 237]],
		['\x1b[?62;c\x1b]11;rgb:ffff/ffff/ffff\x07', 'that of the background in a later answer', [237, 237, 237]],
		['\x1bP>|x\x1b\\', 'no tint', undefined],
	])('has after the answers %j %s', async (answers, _, tint) => {
		const terminal = fakeTerminal();
		const look = {theme: createTheme(3), assumedGround: assumedGround({})};
		const screen = open(terminal, [[{text: 'tinted', style: 'user.words'}]], look);
		terminal.type(answers);
		terminal.type('x');
		await until(async () => (await terminal.shown()).text().includes('❯ x'));
		const shown = terminal.writes.join('');
		const last = shown.slice(shown.lastIndexOf('\x1b[', shown.lastIndexOf('tinted') - 12));
		if (tint === undefined) expect(shown).not.toContain('48;2;');
		else expect(last).toContain(tint.join(';'));
		screen.close();
		await screen.closed;
	});

	it.each([
		['gives a terminal in raw mode to the screen that follows', true, [true]],
		['restores the terminal if no screen follows', false, [true, false]],
	])('%s', async (_, isFollowed, raw) => {
		const terminal = fakeTerminal();
		const screen = open(terminal);
		screen.close(isFollowed);
		await screen.closed;
		expect(terminal.raw).toEqual(raw);
	});

	it('shuts the pod down before it closes', async () => {
		const terminal = fakeTerminal();
		const screen = open(terminal);
		const pod = fakePod();
		await screen.connect(pod, '');
		terminal.type('\x04');
		await screen.closed;
		expect(pod.said).toEqual([{method: 'shutdown'}]);
	});
});
