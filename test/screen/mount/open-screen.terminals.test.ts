import {afterEach, beforeEach, describe, expect, onTestFinished, it, vi} from 'vitest';
import {createInlineView} from '../../../src/screen/mount/show-chat.ts';
import type {Screen} from '../../../src/screen/mount/open-screen.ts';
import type {CreateView} from '../../../src/screen/mount/view.ts';
import {inkLoaded, openOn} from '../../helpers/fake-chat.ts';
import {fakeTerminal, type FakeTerminal} from '../../helpers/fake-terminal.ts';
import {fakePod, idle, running, type FakePod} from '../../helpers/fake-app.ts';
import {createItems} from '../../helpers/items.ts';
import {mouse} from '../../helpers/long-chat.ts';
import {difference} from '../../helpers/same-screen.ts';

const faked = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'hrtime'] as const;

const whole = '\x1b[H\x1b[J';
const answer = Array.from({length: 40}, (_, line) => `- item ${line} of an answer 日本語 👍🏽\n`).join('');

/** Opens a session with an answer on a terminal. Nothing runs in it. */
async function openedOn(
	terminal: FakeTerminal,
	view?: CreateView,
): Promise<{readonly screen: Screen; readonly pod: FakePod}> {
	const make = createItems();
	const pod = fakePod(idle, [make.user('explain'), make.assistant(answer), make.request(), make.end()]);
	const screen = openOn(terminal, view);
	onTestFinished(() => screen.close());
	await screen.connect(pod, '');
	await inkLoaded();
	await pass(1000);
	return {screen, pod};
}

async function pass(ms: number): Promise<void> {
	await vi.advanceTimersByTimeAsync(ms);
}

/** Compares a terminal with a new one of its size. */
async function differenceToFresh(terminal: FakeTerminal, keys: string): Promise<string | undefined> {
	const {columns, rows} = terminal.stdout;
	const fresh = fakeTerminal(columns, rows);
	await openedOn(fresh);
	fresh.type(keys);
	await pass(1000);
	vi.useRealTimers();
	return difference(await terminal.shown(), await fresh.shown());
}

beforeEach(() => void vi.useFakeTimers({toFake: [...faked]}));
afterEach(() => void vi.useRealTimers());

describe('the terminal of the chat', () => {
	it('is redrawn at most 8 times when its size changes 50 times in a second, and ends up like a new one', async () => {
		const terminal = fakeTerminal(80, 24);
		await openedOn(terminal);
		const before = terminal.writes.length;
		for (let step = 0; step < 50; step++) {
			terminal.resize(40 + ((step * 7) % 50), 10 + ((step * 5) % 20));
			if (step === 25) terminal.type('key');
			await pass(20);
		}
		await pass(1000);
		expect(terminal.writes.slice(before).filter(bytes => bytes.includes(whole)).length).toBeLessThanOrEqual(8);
		expect(await differenceToFresh(terminal, 'key')).toBeUndefined();
	});

	it('is redrawn after a short change of size, because its contents are unknown', async () => {
		const terminal = fakeTerminal(80, 24);
		await openedOn(terminal);
		const before = terminal.writes.length;
		terminal.resize(60, 20);
		terminal.resize(80, 24);
		await pass(1000);
		expect(terminal.writes.slice(before).filter(bytes => bytes.includes(whole))).toHaveLength(1);
		expect(await differenceToFresh(terminal, '')).toBeUndefined();
	});

	it('is redrawn when it regains the focus, and when the user asks for it', async () => {
		const terminal = fakeTerminal(80, 24);
		await openedOn(terminal);
		for (const keys of ['\x1b[I', '\f']) {
			const before = terminal.writes.length;
			terminal.type(keys);
			await pass(100);
			expect(terminal.writes.slice(before).filter(bytes => bytes.includes(whole))).toHaveLength(1);
		}
	});

	it('has at most one waiting frame at 1 KB a second, delivers every key, and shows the end', async () => {
		const terminal = fakeTerminal(80, 24, 1024);
		const {pod} = await openedOn(terminal);
		const make = createItems('s');
		const begin = make.assistant('');
		let text = '';
		let max = 0;
		pod.emit({type: 'status', status: running});
		pod.emit({type: 'delta', id: begin.id, text: '', begin});
		for (let token = 0; token < 1500; token++) {
			const piece = `${token % 9 === 0 ? '\n' : ''}token${token} 語 `;
			text += piece;
			pod.emit({type: 'delta', id: begin.id, text: piece});
			if (token === 700) terminal.type('\x1b');
			await pass(10);
			max = Math.max(max, terminal.waiting());
		}
		expect(pod.said).toEqual([{method: 'pause'}]);
		expect(max).toBeLessThan(6000);
		for (const item of [{...begin, text}, make.request(), make.end()]) pod.emit({type: 'item', item});
		pod.emit({type: 'status', status: idle});
		await pass(120_000);
		expect(terminal.waiting()).toBe(0);
		vi.useRealTimers();
		const screen = await terminal.shown();
		expect(screen.text()).toContain('token1499 語');
		expect(screen.text()).toContain('◦ idle');
		expect(screen.cursor()).toMatchObject({row: 22, column: 2});
	});
});

it('the same screens appear when Ink draws them', async () => {
	const [one, other] = [fakeTerminal(80, 24), fakeTerminal(80, 24)];
	const opened = [await openedOn(one), await openedOn(other, createInlineView)];
	const make = createItems('s');
	const begin = make.assistant('');
	const steps: ReadonlyArray<() => void> = [
		() => [one, other].forEach(terminal => terminal.type('a draft 日本語')),
		...Array.from({length: 4}, () => () => [one, other].forEach(terminal => terminal.type(mouse.wheelUp()))),
		() => [one, other].forEach(terminal => terminal.type('\x1b[5~')),
		() => opened.forEach(({pod}) => pod.emit({type: 'status', status: running})),
		() =>
			opened.forEach(({pod}) =>
				pod.emit({
					type: 'delta',
					id: begin.id,
					text: '# A title\n\n| a | b |\n|---|---|\n| 1 | `2` |\n',
					begin,
				}),
			),
		() => [one, other].forEach(terminal => terminal.type('\x1b[1;5F')),
		() => opened.forEach(({pod}) => pod.emit({type: 'alert', alert: {level: 'warn', text: 'a warning'}})),
		() =>
			opened.forEach(({pod}) =>
				pod.emit({
					type: 'status',
					status: {
						...running,
						asks: [{id: 'a', title: 'Run?', detail: 'rm -r', choices: [{choice: 'no', label: 'No'}]}],
					},
				}),
			),
		() => [one, other].forEach(terminal => terminal.resize(60, 16)),
	];
	for (const step of steps) {
		step();
		await pass(300);
		vi.useRealTimers();
		expect(difference(await one.shown(), await other.shown())).toBeUndefined();
		vi.useFakeTimers({toFake: [...faked]});
	}
});
