import {readFile, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Terminal} from './pty.ts';

/**
Marks the words of a test: those that the user types are like `w0042`, and those that a model or a program writes like
`r0042`.
*/
const marked = /(?<!\w)[wr]\d{4}(?!\d)/g;

export function wordsIn(text: string): ReadonlySet<string> {
	return new Set(text.match(marked));
}

/** The words of a screen, and when each was first there (performance.now()). */
export type Watch = {
	/** Returns the last complete frame. */
	frame(): string;
	/** Words of the composer. */
	readonly typed: ReadonlyMap<string, number>;
	/** All other words. */
	readonly shown: ReadonlyMap<string, number>;
	/** Resolves when no output has arrived for a while. */
	settled(): Promise<void>;
};

/** Records the words of each complete frame, as a user would see them. */
export function watch(terminal: Terminal): Watch {
	let frame = '';
	const typed = new Map<string, number>();
	const shown = new Map<string, number>();
	const look = (screen: string) => {
		if (screen === frame) return false;
		frame = screen;
		const composer = composerOf(screen);
		const above = screen.slice(0, screen.length - composer.length);
		for (const word of wordsIn(composer)) if (!typed.has(word)) typed.set(word, performance.now());
		for (const word of wordsIn(above)) if (!shown.has(word)) shown.set(word, performance.now());
		return false;
	};
	void terminal.waitFor(look, {timeoutMs: 600_000, what: 'the end'}).catch(() => {});
	return {
		frame: () => frame,
		typed,
		shown,
		async settled() {
			for (let quiet = 0, bytes = -1; quiet < 4; quiet++, await sleep(10)) {
				if (terminal.bytes() !== bytes) quiet = 0;
				bytes = terminal.bytes();
			}
			await terminal.virtual.write('');
		},
	};
}

/** Returns the rows from the prompt sign on, or from the last line of the message for a screen reader. */
function composerOf(screen: string): string {
	const start = Math.max(screen.lastIndexOf('\n❯ '), screen.lastIndexOf('\nMessage: '));
	return start === -1 ? '' : screen.slice(start);
}

/** Stops a process, and resolves when the kernel has stopped it. Returns the performance.now() of the signal. */
export async function freeze(pid: number): Promise<number> {
	const at = performance.now();
	process.kill(pid, 'SIGSTOP');
	for (;;) {
		const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
		if (/\) [TtZX] /.test(stat)) return at;
		await sleep(1);
	}
}

/** Returns the words in all files of a folder. Streamed text is in pieces, which are joined. */
export async function savedWords(folder: string): Promise<ReadonlySet<string>> {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true}).catch(() => []);
	const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
	const texts = await Promise.all(
		files.map(async file => {
			const text = await readFile(file, 'utf8');
			return file.endsWith('stream.log') ? joined(text) : text.replaceAll(/\\[nrt]/g, ' ');
		}),
	);
	return wordsIn(texts.join('\n'));
}

function joined(log: string): string {
	const texts = new Map<string, string>();
	for (const line of log.split('\n')) {
		if (line === '') continue;
		try {
			const {id, text} = JSON.parse(line) as {id: string; text: string};
			texts.set(id, (texts.get(id) ?? '') + text);
		} catch {
			// The line is incomplete.
		}
	}
	return [...texts.values()].join('\n');
}
