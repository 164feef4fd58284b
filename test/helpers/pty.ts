import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {spawn, type IPty} from '@lydell/node-pty';
import {builtProgram, projectRoot} from './built.ts';
import {createScreen, framed, type Cell, type Cursor, type Screen} from './screen.ts';

export type TerminalOptions = {
	/** The arguments of inkpod. */
	readonly args?: readonly string[];
	/** Another program to run instead of the built inkpod, with its arguments. `args` follow them. */
	readonly command?: readonly [string, ...string[]];
	/** The working directory. Default: an empty directory, which is deleted at the end. */
	readonly cwd?: string;
	/** Variables that override the clean environment of `cleanEnvironment`. undefined removes a variable. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** The user's home directory. Default: an empty one, which is deleted at the end. */
	readonly home?: string;
	readonly cols?: number;
	readonly rows?: number;
	/**
	How the terminal answers queries: as xterm does (default), not at all, or only these requests with these bytes.
	*/
	readonly answers?: 'xterm' | 'none' | Readonly<Record<string, string>>;
};

export type Exit = {readonly code: number; readonly signal: NodeJS.Signals | undefined};
export type Condition = RegExp | string | ((screen: string) => boolean);

/** A program on a real pty, with the screen that a user would see. */
export type Terminal = {
	readonly pid: number;
	readonly cwd: string;
	readonly home: string;
	/** performance.now() at the start. */
	readonly startedAt: number;
	/** The screen that gets the bytes. Use it for everything that has no shorthand below. */
	readonly virtual: Screen;
	/** Returns the visible rows as one text, without trailing blanks. */
	screen(): string;
	rows(): string[];
	cell(row: number, column: number): Cell | undefined;
	cursor(): Cursor;
	/** Counts the bytes that the program wrote, and the chunks in which they arrived. */
	raw(): Buffer;
	bytes(): number;
	chunks(): number;
	/**
	Resolves when the condition is true on the screen, between two frames. The result is the performance.now() of the
	bytes that made it true. Rejects after `timeoutMs` (20 s), or when the program ends. The error message shows the
	screen.
	*/
	waitFor(condition: Condition, options?: {readonly timeoutMs?: number; readonly what?: string}): Promise<number>;
	/** Sends keys, as the terminal would. */
	write(keys: string): void;
	resize(cols: number, rows: number): void;
	kill(signal: NodeJS.Signals): void;
	/** Stops or continues reading the program's output. */
	pause(): void;
	resume(): void;
	/** Closes the terminal as if the user closed its window. */
	hangUp(): void;
	/** Resolves when the program has ended and all of its output is on the screen. */
	readonly exit: Promise<Exit>;
	/** Kills the program if it still runs, and deletes the temporary directories. */
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
};

/** Starts a program on a pty, by default with 100 columns and 30 rows. */
export async function openTerminal(options: TerminalOptions = {}): Promise<Terminal> {
	const temporary = await mkdtemp(path.join(os.tmpdir(), 'inkpod-terminal-'));
	const home = options.home ?? (await made(temporary, 'home'));
	const cwd = options.cwd ?? (await made(temporary, 'project'));
	const [file, ...first] = options.command ?? [process.execPath, await builtProgram()];
	const env = withoutUndefined({...cleanEnvironment(home), ...options.env});
	const {cols = 100, rows = 30} = options;
	const startedAt = performance.now();
	const pty = spawn(file, [...first, ...(options.args ?? [])], {
		name: env['TERM'] ?? 'dumb',
		cols,
		rows,
		cwd,
		env,
		encoding: null,
	});
	const screen = createScreen(cols, rows);
	const feed = feedScreen(pty, screen);
	answerQueries(pty, screen, options.answers ?? 'xterm', feed.exit);
	return {cwd, home, startedAt, ...controls(pty, screen), ...feed, ...closing(pty, screen, feed.exit, temporary)};
}

/**
Returns the environment of a user who has just logged in: it has no INKPOD variables, no keys of models, and no CI.
*/
export function cleanEnvironment(home: string): Record<string, string> {
	return {
		PATH: `${path.join(projectRoot, 'test/helpers/bin')}:${process.env['PATH'] ?? '/usr/bin:/bin'}`,
		HOME: home,
		INKPOD_HOME: path.join(home, '.local/state/inkpod'),
		XDG_RUNTIME_DIR: home,
		// The suites of confinement turn it on. Others give the same results where bubblewrap is missing.
		INKPOD_CONFINE: 'off',
		// Every test has a home of its own, and so an empty cache of compiled code. A shared one saves a fifth of a start.
		NODE_COMPILE_CACHE: path.join(projectRoot, 'node_modules/.cache/compiled'),
		TERM: 'xterm-256color',
		COLORTERM: 'truecolor',
		LANG: 'C.UTF-8',
		SHELL: '/bin/sh',
		TZ: 'UTC',
	};
}

type Feed = Pick<Terminal, 'raw' | 'bytes' | 'chunks' | 'waitFor' | 'exit'>;
type Waiter = {readonly isTrue: () => boolean; readonly done: (at: number) => void; readonly ended: () => void};

function feedScreen(pty: IPty, screen: Screen): Feed {
	const written: Buffer[] = [];
	const waiters = new Set<Waiter>();
	// xterm.js 6.0 loses a three-byte character if two of its bytes arrive before the third.
	const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
	let bytes = 0;
	let parsed = Promise.resolve();
	let ended = false;
	pty.onData(data => {
		const at = performance.now();
		const chunk = Buffer.from(data);
		written.push(chunk);
		bytes += chunk.length;
		parsed = screen.write(decoder.decode(chunk, {stream: true})).then(() => {
			if (isHalfDrawn(screen)) return;
			for (const waiter of [...waiters].filter(({isTrue}) => isTrue())) waiter.done(at);
		});
	});
	const exit = new Promise<Exit>(resolve => {
		pty.onExit(({exitCode, signal}) => {
			void parsed.then(() => {
				ended = true;
				for (const waiter of waiters) waiter.ended();
				resolve({code: exitCode, signal: signalName(signal)});
			});
		});
	});
	return {
		raw: () => Buffer.concat(written),
		bytes: () => bytes,
		chunks: () => written.length,
		exit,
		waitFor: async (condition, {timeoutMs = 20_000, what = String(condition)} = {}) => {
			const isTrue = () => matches(condition, screen.text());
			if (!isHalfDrawn(screen) && isTrue()) return performance.now();
			return new Promise<number>((resolve, reject) => {
				const settle = (finish: () => void) => {
					clearTimeout(timer);
					waiters.delete(waiter);
					finish();
				};
				const fail = (reason: string) =>
					settle(() => reject(new Error(`${reason} waiting for ${what}\n${framed(screen.rows())}`)));
				const timer = setTimeout(() => fail(`${timeoutMs} ms passed`), timeoutMs);
				const waiter = {
					isTrue,
					done: (at: number) => settle(() => resolve(at)),
					ended: () => fail('the program ended'),
				};
				waiters.add(waiter);
				if (ended) waiter.ended();
			});
		},
	};
}

/**
A frame may arrive in several reads. A terminal shows a synchronized update only when it is complete (mode 2026), so a
user never sees a part of it.
*/
function isHalfDrawn({terminal}: Screen): boolean {
	return terminal.modes.synchronizedOutputMode;
}

function matches(condition: Condition, text: string): boolean {
	if (typeof condition === 'string') return text.includes(condition);
	return condition instanceof RegExp ? text.search(condition) !== -1 : condition(text);
}

function controls(pty: IPty, screen: Screen) {
	return {
		pid: pty.pid,
		virtual: screen,
		screen: () => screen.text(),
		rows: () => screen.rows(),
		cell: (row: number, column: number) => screen.cell(row, column),
		cursor: () => screen.cursor(),
		write: (keys: string) => pty.write(keys),
		resize(cols: number, rows: number) {
			screen.resize(cols, rows);
			pty.resize(cols, rows);
		},
		kill: (signal: NodeJS.Signals) => pty.kill(signal),
		pause: () => pty.pause(),
		resume: () => pty.resume(),
		hangUp: () => (pty as IPty & {destroy(): void}).destroy(),
	};
}

function answerQueries(
	pty: IPty,
	screen: Screen,
	answers: NonNullable<TerminalOptions['answers']>,
	exit: Promise<Exit>,
): void {
	if (answers === 'none') return;
	let alive = true;
	void exit.then(() => (alive = false));
	const answer = (bytes: string) => {
		if (alive) pty.write(bytes);
	};
	if (answers === 'xterm') answerAsXterm(screen, answer);
	else answerRequests(pty, answers, answer);
}

// xterm.js answers device queries by itself. It does not answer queries for colours, because they belong to a window.
// This code answers them.
function answerAsXterm(screen: Screen, answer: (bytes: string) => void): void {
	screen.terminal.onData(answer);
	const colors = {10: 'd0d0/d0d0/d0d0', 11: '1e1e/1e1e/1e1e', 12: 'ffff/ffff/ffff'};
	for (const [number, color] of Object.entries(colors)) {
		screen.terminal.parser.registerOscHandler(Number(number), data => {
			if (data === '?') answer(`\x1b]${number};rgb:${color}\x1b\\`);
			return true;
		});
	}
}

function answerRequests(pty: IPty, answers: Readonly<Record<string, string>>, answer: (bytes: string) => void): void {
	const longest = Math.max(0, ...Object.keys(answers).map(request => request.length));
	let seen = '';
	pty.onData(data => {
		const text = seen + Buffer.from(data).toString('latin1');
		const from = seen.length;
		for (const [request, reply] of Object.entries(answers)) {
			for (let at = text.indexOf(request); at !== -1; at = text.indexOf(request, at + 1)) {
				// Queries that end inside the carried-over part were answered with the previous chunk.
				if (at + request.length > from) answer(reply);
			}
		}
		seen = text.slice(Math.max(0, text.length - longest + 1));
	});
}

function closing(
	pty: IPty,
	screen: Screen,
	exit: Promise<Exit>,
	temporary: string,
): Pick<Terminal, 'close' | typeof Symbol.asyncDispose> {
	let exited = false;
	void exit.then(() => (exited = true));
	const close = async () => {
		if (!exited) pty.kill('SIGKILL');
		await exit;
		screen.dispose();
		await rm(temporary, {recursive: true, force: true, maxRetries: 5});
	};
	return {close, [Symbol.asyncDispose]: close};
}

function signalName(number: number | undefined): NodeJS.Signals | undefined {
	const found = Object.entries(os.constants.signals).find(([, value]) => value === number);
	return found?.[0] as NodeJS.Signals | undefined;
}

function withoutUndefined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
	return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

async function made(parent: string, name: string): Promise<string> {
	const directory = path.join(parent, name);
	await mkdir(directory, {recursive: true});
	return directory;
}
