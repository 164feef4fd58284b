import {afterEach, beforeEach, expect, onTestFinished, it, vi} from 'vitest';
import {inkLoaded, openOn} from '../../helpers/fake-chat.ts';
import {fakeTerminal} from '../../helpers/fake-terminal.ts';
import {fakePod, idle, running} from '../../helpers/fake-app.ts';
import {createItems} from '../../helpers/items.ts';
import {mouse} from '../../helpers/long-chat.ts';

const faked = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'hrtime'] as const;

beforeEach(() => void vi.useFakeTimers({toFake: [...faked]}));
afterEach(() => void vi.useRealTimers());

const pass = async (ms: number): Promise<void> => {
	await vi.advanceTimersByTimeAsync(ms);
};

/**
The limits for a scripted session at 120x40, in all its parts. They equal today's numbers, so lower them after an
improvement.
*/
const limits = {
	// The fifth write: stock Ink writes one style differently than chalk when it takes over. The built program has no
	// such write.
	// The two rules beside the composer take 366 bytes each.
	start: {writes: 5, bytes: 1273},
	'40 keys': {writes: 40, bytes: 1100},
	'1,000 tokens in 10 seconds': {writes: 211, bytes: 27_580},
	'20 turns of the wheel': {writes: 20, bytes: 7700},
	'5 pages': {writes: 5, bytes: 13_300},
	'5 idle minutes': {writes: 0, bytes: 0},
	// The status line is below the message, so a frame that draws both moves the cursor up again.
	'1,000 tokens, and a key every 60 ms': {writes: 335, bytes: 29_890},
	// One write a second, of at most 120 bytes.
	'a command that runs for a minute': {writes: 61, bytes: 60 * 120 + 600},
};

it('a scripted session writes no more bytes than before, and each frame in one write', async () => {
	const terminal = fakeTerminal(120, 40);
	const make = createItems();
	const pod = fakePod(
		idle,
		Array.from({length: 20}, (_, turn) => [
			make.user(`question ${turn}`),
			make.assistant(`An answer to ${turn}. ${'Some words. '.repeat(30)}`),
			make.request(),
			make.end(),
		]).flat(),
	);
	const screen = openOn(terminal);
	onTestFinished(() => screen.close());
	const counted: Partial<Record<keyof typeof limits, {readonly writes: number; readonly bytes: number}>> = {};
	const count = async (name: keyof typeof limits, act: () => Promise<void>, from = terminal.writes.length) => {
		await act();
		const written = terminal.writes.slice(from);
		expect(
			written
				.filter(bytes => bytes.includes('\x1b[?2026h'))
				.every(bytes => bytes.startsWith('\x1b[?2026h') && bytes.indexOf('\x1b[?2026l') === bytes.length - 8),
		).toBe(true);
		counted[name] = {
			writes: written.length,
			bytes: written.reduce((sum, bytes) => sum + Buffer.byteLength(bytes), 0),
		};
	};
	await count(
		'start',
		async () => {
			await pass(100);
			await inkLoaded();
		},
		0,
	);
	await screen.connect(pod, '');
	await pass(1000);
	await count('40 keys', async () =>
		each(40, async at => {
			terminal.type('abc def '[at % 8]!);
			await pass(50);
		}),
	);
	await count('1,000 tokens in 10 seconds', async () => answer(pod, make));
	await count('20 turns of the wheel', async () =>
		each(20, async at => {
			terminal.type(at < 15 ? mouse.wheelUp(5, 5) : mouse.wheelDown(5, 5));
			await pass(400);
		}),
	);
	await count('5 pages', async () =>
		each(5, async () => {
			terminal.type('\x1b[5~');
			await pass(50);
		}),
	);
	await pass(20_000);
	await count('5 idle minutes', async () => pass(300_000));
	terminal.type('\x1b[1;5F');
	await pass(100);
	await count('1,000 tokens, and a key every 60 ms', async () =>
		answer(pod, make, at => at % 6 === 0 && terminal.type('abcdefgh '[at % 9]!)),
	);
	const call = make.call('c1', 'bash', {command: 'npm test'});
	pod.emit({type: 'item', item: call});
	await count('a command that runs for a minute', async () => {
		const since = performance.now();
		const calls = [{callId: call.callId, since}];
		pod.emit({type: 'status', status: {...running, step: 'tools', since, calls}});
		await pass(60_000);
	});
	for (const [name, limit] of Object.entries(limits)) {
		const {writes, bytes} = counted[name as keyof typeof limits]!;
		expect(writes, `writes of ${name}`).toBeLessThanOrEqual(limit.writes);
		expect(bytes, `bytes of ${name}`).toBeLessThanOrEqual(limit.bytes);
	}
});

async function answer(
	pod: ReturnType<typeof fakePod>,
	make: ReturnType<typeof createItems>,
	meanwhile: (at: number) => void = () => {},
): Promise<void> {
	const begin = make.assistant('');
	let text = '';
	pod.emit({type: 'status', status: running});
	await each(1000, async token => {
		const piece =
			token % 40 === 39 ? '\n\n' : token % 100 === 50 ? '\n\n```ts\nconst a = 1;\n```\n\n' : `word${token} `;
		text += piece;
		pod.emit({type: 'delta', id: begin.id, text: piece, ...(token === 0 && {begin})});
		meanwhile(token);
		await pass(10);
	});
	for (const item of [{...begin, text}, make.request(), make.end()]) pod.emit({type: 'item', item});
	pod.emit({type: 'status', status: idle});
	await pass(100);
}

async function each(times: number, act: (at: number) => Promise<void>): Promise<void> {
	for (let at = 0; at < times; at++) await act(at);
}
