import {setTimeout as wait} from 'node:timers/promises';
import {percentile} from './statistics.mjs';
import {usageOf} from './usage.mjs';

// The first typed text. No screen shows this character by itself.
const mark = '^';
const patience = {timeoutMs: 60_000};
let answers = 0;

/**
Waits for the first screen and types until a typed character appears. Returns the milliseconds since the process
started.
*/
export async function untilUsable(terminal, conditions) {
	for (const condition of conditions) await terminal.waitFor(condition, patience);
	terminal.write(mark);
	const again = setInterval(() => terminal.write(mark), 150);
	try {
		return {usable: (await terminal.waitFor(mark, patience)) - terminal.startedAt};
	} finally {
		clearInterval(again);
	}
}

/** Measures the CPU, the writes and the memory of five idle seconds. */
export async function idle(terminal) {
	await wait(2000);
	const [before, chunks] = [usageOf(terminal.pid), terminal.chunks()];
	const startedAt = performance.now();
	await wait(5000);
	const after = usageOf(terminal.pid);
	return {
		cpu: percentOf(before, after, performance.now() - startedAt),
		writes: terminal.chunks() - chunks,
		rss: after?.rss,
	};
}

/** Types a hundred keys, one at a time. Measures the time from writing a key to the bytes that show it. */
export async function echo(terminal) {
	const bytes = terminal.bytes();
	const delays = await typeKeys(terminal, {count: 100, isOver: () => false});
	return {
		p50: percentile(delays, 0.5),
		p95: percentile(delays, 0.95),
		bytes: (terminal.bytes() - bytes) / delays.length,
	};
}

/**
Streams 2,000 tokens of Markdown at once. Measures the time from the first token on the server to the last token on the
screen.
*/
export async function stream(terminal, model) {
	const bytes = terminal.bytes();
	const {shownAt, times} = await ask(terminal, model, {tokens: 2000, rate: 0});
	const {firstAt} = await times;
	return {wall: (await shownAt) - (firstAt - performance.timeOrigin), bytes: terminal.bytes() - bytes};
}

/** Streams 1,000 tokens at 100 a second while keys are typed. Measures the CPU and the delay of the keys. */
export async function rate(terminal, model) {
	const before = usageOf(terminal.pid);
	const startedAt = performance.now();
	let isOver = false;
	const {shownAt, times} = await ask(terminal, model, {tokens: 1000, rate: 100});
	const over = shownAt.finally(() => (isOver = true));
	await wait(200); // A pause, so that Enter and the first key do not arrive in one read.
	const delays = await typeKeys(terminal, {count: 60, isOver: () => isOver});
	await Promise.all([over, times]);
	return {
		cpu: percentOf(before, usageOf(terminal.pid), performance.now() - startedAt),
		p50: percentile(delays, 0.5),
		p95: percentile(delays, 0.95),
	};
}

/** Empties the input line. */
export async function clear(terminal) {
	for (let attempt = 0; attempt < 5; attempt++) {
		terminal.write('\x15');
		const isEmpty = await terminal
			.waitFor(screen => !screen.includes(mark), {timeoutMs: 1000})
			.then(
				() => true,
				() => false,
			);
		if (isEmpty) return;
	}
	throw new Error(`the line is not empty after Ctrl+U:\n${terminal.screen()}`);
}

async function ask(terminal, model, scenario) {
	const sentinel = `endofanswer${++answers}z`;
	const times = model.answer({...scenario, sentinel});
	const question = `write answer ${answers}`;
	terminal.write(question);
	await terminal.waitFor(question);
	terminal.write('\r');
	return {times, shownAt: terminal.waitFor(sentinel, patience)};
}

const letters = 'wxkvjqbmphgdfyuc';

async function typeKeys(terminal, {count, isOver}) {
	const delays = [];
	while (delays.length < count && !isOver()) {
		let typed = mark;
		terminal.write(typed);
		await terminal.waitFor(typed);
		for (let key = 0; key < 40 && delays.length < count && !isOver(); key++) {
			await wait(40 + Math.random() * 40);
			const letter = letters[(key * 5 + delays.length) % letters.length];
			typed += letter;
			const writtenAt = performance.now();
			terminal.write(letter);
			delays.push((await terminal.waitFor(typed)) - writtenAt);
		}
		await clear(terminal);
	}
	return delays;
}

function percentOf(before, after, milliseconds) {
	return before === undefined || after === undefined
		? undefined
		: ((after.cpu - before.cpu) / (milliseconds / 1000)) * 100;
}
