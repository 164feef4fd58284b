// Measures user input in the whole program on a pty: a popup in a large tree, a large paste and a long draft.
import {setTimeout as wait} from 'node:timers/promises';
import {clear, untilUsable} from './metrics.mjs';
import {percentile} from './statistics.mjs';

const patience = {timeoutMs: 120_000};
const highlight = '▸ ';

/**
Measures the popup in a tree of `files` files, in milliseconds.
- `first`: from the start of the process to the first matches.
- `echoP95`: from a key to the screen while the index is built.
- `indexed`: from the start to the complete index.
- `p50`, `p95`: from the write of a whole query to the screen that shows its file.
*/
export async function popup(terminal, {ready, files, queries = 40}) {
	await untilUsable(terminal, [ready]);
	await clear(terminal);
	terminal.write('@mod');
	const first = (await terminal.waitFor(highlight, patience)) - terminal.startedAt;
	await clear(terminal);
	const delays = await typeWords(terminal, 30);
	terminal.write('@mo');
	await terminal.waitFor(highlight, patience);
	const indexed = (await terminal.waitFor(screen => !screen.includes('indexing'), patience)) - terminal.startedAt;
	await clearLine(terminal);
	const times = [];
	for (let query = 0; query < queries; query++) {
		// .gitignore excludes the first sixth of the files.
		const number = Math.floor(files / 6) + 101 + query * Math.floor((files * 0.8) / queries);
		const writtenAt = performance.now();
		terminal.write(`@${number}.ts`);
		times.push((await terminal.waitFor(`-${number}.ts`, patience)) - writtenAt);
		await clearLine(terminal);
	}
	return {
		first,
		echoP95: percentile(delays, 0.95),
		indexed,
		p50: percentile(times, 0.5),
		p95: percentile(times, 0.95),
	};
}

/** Measures the milliseconds from the first written byte of a bracketed paste to its chip on the screen. */
export async function paste(terminal, {ready, megabytes}) {
	await untilUsable(terminal, [ready]);
	await clear(terminal);
	const line = 'A log line of some eighty characters, with a word in it that is not ASCII: é\r';
	const lines = Math.floor((megabytes * 2 ** 20) / Buffer.byteLength(line));
	const writtenAt = performance.now();
	terminal.write(`\x1b[200~${line.repeat(lines)}\x1b[201~`);
	return (await terminal.waitFor(`${lines.toLocaleString('en-US')} lines]`, patience)) - writtenAt;
}

async function typeWords(terminal, count) {
	const delays = [];
	let typed = '^';
	terminal.write(typed);
	await terminal.waitFor(typed);
	while (delays.length < count) {
		await wait(30 + Math.random() * 30);
		const letter = 'wxkvjqbmphgdfyuc'[(delays.length * 5) % 16];
		typed += letter;
		const writtenAt = performance.now();
		terminal.write(letter);
		delays.push((await terminal.waitFor(typed)) - writtenAt);
	}
	await clear(terminal);
	return delays;
}

async function clearLine(terminal) {
	terminal.write('\x15');
	await terminal.waitFor(screen => !screen.includes('❯ @'), patience);
}
