import {EventEmitter} from 'node:events';
import {Writable} from 'node:stream';
import {createScreen, type Screen} from './screen.ts';

/** A fake terminal of streams, for a program in the test's own process. */
export type FakeTerminal = {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	/** The changes to raw mode, in order. */
	readonly raw: readonly boolean[];
	/** Everything that the program wrote to it, in order. */
	readonly writes: readonly string[];
	type(keys: string): void;
	/** Resizes the terminal and emits the event. */
	resize(columns: number, rows: number): void;
	/** The bytes that the terminal has not read yet. */
	waiting(): number;
	/** Returns the screen so far, as a user would see it. Each call creates a new one. */
	shown(): Promise<Screen>;
};

/** Creates a fake terminal. `bytesPerSecond`: how fast the terminal reads. By default it reads everything at once. */
export function fakeTerminal(columns = 60, rows = 12, bytesPerSecond = Number.POSITIVE_INFINITY): FakeTerminal {
	const writes: string[] = [];
	/** The bytes that it read, and its sizes, in order. */
	const received: Array<string | {readonly columns: number; readonly rows: number}> = [{columns, rows}];
	const raw: boolean[] = [];
	const stream = new Writable({
		decodeStrings: false,
		write(text: string, _, done) {
			received.push(text);
			if (bytesPerSecond === Number.POSITIVE_INFINITY) done();
			else setTimeout(done, (Buffer.byteLength(text) / bytesPerSecond) * 1000);
		},
	});
	const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
	const stdout = Object.assign(stream, {
		isTTY: true,
		columns,
		rows,
		write(text: string, ...rest: unknown[]) {
			if (text !== '') writes.push(text);
			return write(text, ...rest);
		},
	});
	const stdin = Object.assign(new EventEmitter(), {
		isTTY: true,
		setRawMode: (on: boolean) => void raw.push(on),
		resume() {},
		pause() {},
		ref() {},
		unref() {},
		read: () => null,
		setEncoding() {},
	});
	return {
		stdin: stdin as unknown as NodeJS.ReadStream,
		stdout: stdout as unknown as NodeJS.WriteStream,
		raw,
		writes,
		type: keys => void stdin.emit('data', Buffer.from(keys)),
		resize(toColumns, toRows) {
			Object.assign(stdout, {columns: toColumns, rows: toRows});
			received.push({columns: toColumns, rows: toRows});
			stdout.emit('resize');
		},
		waiting: () => stream.writableLength,
		async shown() {
			const screen = createScreen(columns, rows);
			for (const one of received) {
				if (typeof one === 'object') screen.resize(one.columns, one.rows);
				// A tty replaces each newline by both characters.
				else await screen.write(one.replaceAll('\n', '\r\n'));
			}
			return screen;
		},
	};
}
