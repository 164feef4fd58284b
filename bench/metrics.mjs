import {existsSync, readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {percentile} from './statistics.mjs';
import {usageOf} from './usage.mjs';

// The first typed text. No screen shows this character by itself.
const mark = '^';
const patience = {timeoutMs: 60_000};
let answers = 0;

/**
Waits for the first screen and types until a typed character appears. Returns the milliseconds since the process
started, and the milliseconds of CPU that it used.
*/
export async function untilUsable(terminal, conditions) {
	for (const condition of conditions) await terminal.waitFor(condition, patience);
	terminal.write(mark);
	const again = setInterval(() => terminal.write(mark), 150);
	try {
		const usable = (await terminal.waitFor(mark, patience)) - terminal.startedAt;
		const usage = usageOf(terminal.pid);
		return {usable, cpu: usage && usage.cpu * 1000};
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

/** Types a thousand keys, and then measures a hundred more as `echo` does. */
export async function warm(terminal) {
	await typeKeys(terminal, {count: 1000, isOver: () => false, gap: 15});
	return echo(terminal);
}

/** Measures the time from Enter to the arrival of the request at the server, for the first two messages. */
export async function enter(terminal, model) {
	const delays = [];
	for (let message = 0; message < 2; message++) {
		const {enteredAt, shownAt, times} = await ask(terminal, model, {tokens: 20, rate: 0});
		const [{askedAt}] = await Promise.all([times, shownAt]);
		delays.push(askedAt - performance.timeOrigin - enteredAt);
		await wait(1000);
	}
	return {first: delays[0], second: delays[1]};
}

/** Waits for the file of turns.mjs. Returns the longest turn of the event loop in milliseconds. */
export async function turns(file) {
	for (const until = performance.now() + patience.timeoutMs; performance.now() < until; await wait(50))
		if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
	throw new Error(`${file} was not written`);
}

/**
Streams 2,000 tokens of Markdown at once. Measures the time from the first token on the server to the last token on the
screen.
*/
export async function stream(terminal, model) {
	const {bytes, shownAt, times} = await ask(terminal, model, {tokens: 2000, rate: 0});
	const [at, {firstAt}] = await Promise.all([shownAt, times]);
	return {wall: at - (firstAt - performance.timeOrigin), bytes: terminal.bytes() - bytes};
}

/** Streams 1,000 tokens at 100 a second while keys are typed. Measures the CPU and the delay of the keys. */
export async function rate(terminal, model) {
	let isOver = false;
	const {usage, enteredAt, shownAt, times} = await ask(terminal, model, {tokens: 1000, rate: 100});
	const end = () => (isOver = true);
	shownAt.then(end, end);
	await wait(200); // A pause, so that Enter and the first key do not arrive in one read.
	const delays = await typeKeys(terminal, {count: 60, isOver: () => isOver});
	await Promise.all([shownAt, times]);
	return {
		cpu: percentOf(usage, usageOf(terminal.pid), performance.now() - enteredAt),
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
	const question = `write answer ${answers}z`;
	const times = model.answer({...scenario, sentinel, question});
	for (const letter of question) {
		terminal.write(letter);
		await wait(10);
	}
	await terminal.waitFor(question);
	await wait(500); // A program may take Enter after fast keys for a part of a paste.
	const before = {usage: usageOf(terminal.pid), bytes: terminal.bytes()};
	const enteredAt = performance.now();
	terminal.write('\r');
	const shownAt = terminal.waitFor(sentinel, patience);
	shownAt.catch(() => {}); // A caller that fails before does not wait for it.
	return {...before, enteredAt, times, shownAt};
}

const letters = 'wxkvjqbmphgdfyuc';

async function typeKeys(terminal, {count, isOver, gap = 40}) {
	const delays = [];
	while (delays.length < count && !isOver()) {
		let typed = mark;
		terminal.write(typed);
		await terminal.waitFor(typed);
		for (let key = 0; key < 40 && delays.length < count && !isOver(); key++) {
			await wait(gap * (1 + Math.random()));
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
