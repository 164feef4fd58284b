import {idle, listening, send} from '../chat.ts';
import type {Terminal} from '../pty.ts';

/** A chat that is stopped at a moment. */
export type Stage = {
	/** Opens a terminal on the session, or on another one, of the same home. Its words are watched. */
	readonly open: (args?: readonly string[], how?: {readonly isScripted?: boolean}) => Promise<Terminal>;
	/** Returns the next word that the user types. */
	readonly word: () => string;
	/** Counts a key that the chat may be stopped after. */
	readonly step: () => void;
	/** The words that the user has deleted, or that the screen has discarded as it says. */
	readonly deleted: Set<string>;
	readonly at: {readonly cwd: string; readonly home: string; readonly run: string};
};

/** A state in which the program is stopped. Another state needs only another entry. */
export type State = {
	/** The model's answers. */
	readonly answers?: readonly (readonly object[])[];
	/** The number of steps that the state has. */
	readonly steps: number;
	/** What the user does, until the chat is stopped. */
	readonly act: (stage: Stage) => Promise<void>;
	readonly approval?: 'ask' | 'auto' | 'plan';
};

export const said = (text: string, pace: object = {}) => ({type: 'text', text, ...pace});
export const call = (name: string, args: object) => ({type: 'tool_call', name, arguments: args});
export const received = (from: number, count = 200) =>
	Array.from({length: count}, (_, n) => `r${String(from + n).padStart(4, '0')}`).join(' ');
export const slow = [said('bit '.repeat(60), {chunk: 4, delayMs: 20}), {type: 'stall'}];
export const streaming = [said(received(0), {chunk: 7, delayMs: 4}), {type: 'stall'}];
export const short = [said('Understood.')];
export const shortAnswers = Array.from({length: 20}, () => short);
export const keys = {
	up: '\x1b[A',
	down: '\x1b[B',
	steer: '\x13',
	cancel: '\x03',
	newline: '\n',
};
const card = /Esc: /;

/** Types a word and waits until the composer shows it. */
export async function type({step, word}: Stage, terminal: Terminal, before = '', after = ''): Promise<string> {
	const typed = word();
	step();
	terminal.write(before + typed + after);
	await terminal.waitFor(typed);
	return typed;
}

export async function enter({step}: Stage, terminal: Terminal, key = '\r'): Promise<void> {
	step();
	terminal.write(key);
}

/** Types a message and sends it. */
export async function say(stage: Stage, terminal: Terminal, before = '', key = '\r'): Promise<string> {
	const typed = await type(stage, terminal, before);
	await enter(stage, terminal, key);
	return typed;
}

/** Waits until a message has left the composer. Keys that arrive together with Enter may count as a paste. */
export async function left(terminal: Terminal, text: string): Promise<void> {
	await terminal.waitFor(screen => !screen.includes(`❯ ${text}`));
}

/** Opens the chat, and waits until its pod is open. */
export async function ready(stage: Stage, args: readonly string[] = []): Promise<Terminal> {
	const terminal = await stage.open(args);
	await terminal.waitFor(idle);
	return terminal;
}

export async function answered(terminal: Terminal, text: string): Promise<void> {
	await terminal.waitFor(
		screen => screen.includes(`▌ ${text}`) && idle.test(screen) && /\n {2}[\d.]+ s/.test(screen),
	);
}

/** Opens the chat, and begins a turn that does not end. */
export async function running(stage: Stage): Promise<Terminal> {
	const terminal = await ready(stage);
	await send(terminal, 'go');
	await terminal.waitFor(/bit |r\d{4}/);
	return terminal;
}

export async function onCard(stage: Stage): Promise<Terminal> {
	const terminal = await ready(stage);
	await send(terminal, 'go');
	await terminal.waitFor(card);
	return terminal;
}

/** Waits longer than a draft may take to be saved. */
export async function type5(stage: Stage, terminal: Terminal): Promise<void> {
	for (let n = 0; n < 5; n++) await type(stage, terminal, '', ' ');
}

export async function stored(stage: Stage): Promise<void> {
	const first = await stage.open();
	await first.waitFor(idle);
	await send(first, 'hello');
	await answered(first, 'hello');
	first.write('\x04');
	await first.exit;
}

export async function attached(stage: Stage): Promise<Terminal> {
	const owner = await ready(stage);
	await listening(stage.at.run);
	await send(owner, 'go');
	await owner.waitFor(/bit |Understood/);
	const terminal = await stage.open(['attach'], {isScripted: false});
	await terminal.waitFor(/Attached to the session/);
	return terminal;
}

export const bash = (command: string) => [call('bash', {command})];
export const printing = 'n=1000; while [ $n -lt 1150 ]; do printf "r%d\\n" $n; n=$((n+1)); sleep 0.005; done';
export const question = call('ask', {questions: [{title: 'Which way?', options: ['One', 'Two']}, {title: 'And why?'}]});
