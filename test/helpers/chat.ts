import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import {openTerminal, type Condition, type Terminal, type TerminalOptions} from './pty.ts';

/** Opens the chat on a real pty and waits until it reads keys. Kills it when the test ends. */
export async function openChat(options: TerminalOptions = {}): Promise<Terminal> {
	const terminal = await openTerminal(options);
	onTestFinished(async () => terminal.close());
	return terminal;
}

/**
Types a line, and sends it when the composer shows it. Keys that arrive together with their Enter may count as a paste.
*/
export async function send(terminal: Terminal, text: string): Promise<void> {
	terminal.write(text);
	await terminal.waitFor(screen => flat(screen).includes(flat(text)), {what: `the draft ${text}`});
	terminal.write('\r');
}

/** Presses a key apart from the keys before it. Keys that arrive together never answer a card. */
export async function pressApart(terminal: Terminal, key: string): Promise<void> {
	await new Promise(resolve => setTimeout(resolve, 100));
	terminal.write(key);
}

/** Presses a key again and again until the condition is true, because a key that comes too early has no effect. */
export async function pressUntil(terminal: Terminal, key: string, done: Condition): Promise<void> {
	for (let tries = 0; ; tries++) {
		terminal.write(key);
		const isDone = await terminal.waitFor(done, {timeoutMs: tries < 8 ? 1500 : 20_000}).then(
			() => true,
			() => false,
		);
		if (isDone) return;
		if (tries >= 8) throw new Error(`${JSON.stringify(key)} did not do what it should:\n${terminal.screen()}`);
	}
}

export const idle = /◦ idle|■ (?:interrupted|stopped)/;

/**
Returns the rows of the transcript, above the message and its rule, without blank rows around them. It omits alerts,
because they expire.
*/
export function transcript(terminal: Terminal): string[] {
	const rows = terminal.rows().map(row => row.trimEnd());
	const end = [rows.findIndex(row => /^─+$/u.test(row)), rows.findLastIndex(row => row.startsWith('❯'))];
	const shown = rows
		.slice(
			0,
			end.find(row => row >= 0),
		)
		.filter(row => !/^[▲×•] /u.test(row));
	const first = shown.findIndex(row => row !== '');
	return first < 0 ? [] : shown.slice(first, shown.findLastIndex(row => row !== '') + 1);
}

/** Waits until a terminal can attach to a session: until its socket exists in the runtime folder. */
export async function listening(runtime: string): Promise<void> {
	await expect
		.poll(async () => readdir(join(runtime, 'inkpod')).catch((): string[] => []))
		.toContainEqual(expect.stringMatching(/\.sock$/));
}

/** Returns the paths of the histories below a home directory. */
export async function histories(home: string): Promise<string[]> {
	const names = await readdir(home, {recursive: true});
	return names.filter(name => name.endsWith('history.json')).map(name => join(home, name));
}

export type StoredHistory = {
	readonly session: string;
	readonly items: ReadonlyArray<Record<string, unknown> & {readonly type: string}>;
};

/**
Reads the only history below a home directory with a separate parser. The file is a JSON document only between two
appends, so it reads again during an append.
*/
export async function onlyHistory(home: string): Promise<StoredHistory> {
	const [file] = await histories(home);
	for (let tries = 1; ; tries++) {
		const text = await readFile(file!, 'utf8');
		try {
			return JSON.parse(text) as StoredHistory;
		} catch (error) {
			if (tries === maxReads) throw error;
		}
	}
}

const maxReads = 1000;

function flat(text: string): string {
	return text.replaceAll(/\s+/g, '');
}
