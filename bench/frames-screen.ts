import type {Item} from '../src/pod/protocol.ts';
import {openOn} from '../test/helpers/fake-chat.ts';
import {fakeTerminal} from '../test/helpers/fake-terminal.ts';
import {fakePod, idle, running} from '../test/helpers/fake-app.ts';
import {createItems} from '../test/helpers/items.ts';
import {turnTexts} from './text.mjs';

/** A screen of 120x40 in this process, showing a session of a given number of rows. Its terminal only counts bytes. */
export type FramesScreen = {
	/** Each function causes one frame and resolves with its milliseconds and bytes. */
	readonly frames: Readonly<
		Record<'key' | 'token' | 'page' | 'wheel', () => Promise<{readonly ms: number; readonly bytes: number}>>
	>;
	close(): void;
};

export async function openFramesScreen(rows: number): Promise<FramesScreen> {
	const make = createItems();
	const terminal = fakeTerminal(120, 40);
	const items: Item[] = [];
	for (let turn = 1; turn <= rows / rowsATurn; turn++) {
		const {question, answer} = turnTexts(turn);
		items.push(make.user(question), make.assistant(answer), make.request(), make.end());
	}
	const pod = fakePod(idle, items);
	const screen = openOn(terminal);
	await screen.connect(pod, '');
	const begin = make.assistant('');
	pod.emit({type: 'status', status: running});
	pod.emit({type: 'delta', id: begin.id, text: 'It begins.', begin});
	let count = 0;
	const frame = async (cause: () => void) => {
		const before = terminal.writes.length;
		const startedAt = performance.now();
		cause();
		for (let turn = 0; terminal.writes.length === before && turn < 10_000; turn++)
			await (turn < 20 ? undefined : new Promise(resolve => setImmediate(resolve)));
		const written = terminal.writes.slice(before);
		return {ms: performance.now() - startedAt, bytes: written.reduce((sum, text) => sum + text.length, 0)};
	};
	const typed =
		(...keys: readonly string[]) =>
		async () =>
			frame(() => terminal.type(keys[count++ % keys.length]!));
	return {
		frames: {
			key: typed('a', 'b', 'c', '\x7f', '\x7f', '\x7f'),
			// This measures the cost of a token, not its delay, because the next key causes the frame at once.
			token: async () =>
				frame(() => {
					pod.emit({type: 'delta', id: begin.id, text: ` token${count}`});
					terminal.type(count++ % 2 === 0 ? 'a' : '\x7f');
				}),
			page: typed('\x1b[5~', '\x1b[5~', '\x1b[6~', '\x1b[6~'),
			wheel: typed(
				'\x1b[<64;5;5M',
				'\x1b[<64;5;5M',
				'\x1b[<64;5;5M',
				'\x1b[<65;5;5M',
				'\x1b[<65;5;5M',
				'\x1b[<65;5;5M',
			),
		},
		close: () => screen.close(),
	};
}

/** One turn of `turnTexts` takes this many rows at 120 columns. */
const rowsATurn = 15;
