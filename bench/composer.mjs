// Measures the composer, in this process and on a real pty: pastes of several megabytes, and keys in a draft of
// thousands of lines.
// Usage: node bench/composer.mjs [--rounds N] [--lines N] [--pty]
import {EventEmitter} from 'node:events';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {actionOfKey, compose, createComposer} from '../src/screen/model/composer/composer-state.ts';
import {viewComposer} from '../src/screen/model/composer/composer-view.ts';
import {createKeymap} from '../src/screen/model/keys/keymap.ts';
import {plainText} from '../src/screen/spans/row.ts';
import {createInput} from '../src/screen/terminal/input/input.ts';
import {median, percentile} from './statistics.mjs';

const megabyte = 1024 * 1024;
const columns = 118;
const rows = 13;

/**
Measures the milliseconds from the first byte of a paste to its chip. Returns the median of the rounds, for half of the
paste and for all of it. `ratio` is 2 if the cost is linear. `cpu` does not depend on the load of the machine. The last
tenth of a second, which ends a raw paste, is not included.
*/
export function pasteCost({bytes = 10 * megabyte, chunk = 4096, raw = false, rounds = 5} = {}) {
	const [half, whole] = [bytes / 2, bytes].map(size => {
		const costs = Array.from({length: rounds}, () => pasteOnce(size, chunk, raw));
		return {wall: median(costs.map(({wall}) => wall)), cpu: median(costs.map(({cpu}) => cpu))};
	});
	return {half: half.wall, whole: whole.wall, ratio: whole.wall / half.wall, cpu: whole.cpu};
}

/**
Measures the milliseconds from a key to the rows that show the key, for each kind of key in a draft of `lines` lines.
*/
export function keyCost({lines = 5000, keys = 200} = {}) {
	let state = longDraft(lines);
	const press = action => {
		const startedAt = performance.now();
		state = compose(state, action);
		const {top} = viewComposer(state, rows);
		state = compose(state, {type: 'scrolled', top});
		return performance.now() - startedAt;
	};
	for (let count = 0; count < lines / 2; count++) press({type: 'up'});
	for (const action of Object.values(actions)) press(action);
	return Object.fromEntries(
		Object.entries(actions).map(([name, action]) => {
			const times = Array.from({length: keys}, () => press(action));
			return [name, {p50: percentile(times, 0.5), p95: percentile(times, 0.95), max: Math.max(...times)}];
		}),
	);
}

/**
Types a draft of `lines` lines into the whole program. Then measures the milliseconds from a key in the middle of the
draft to the bytes that show the key.
*/
export async function echoCost(terminal, {lines = 5000, keys = 200} = {}) {
	// The lines are typed one at a time, because several lines in one read would count as a paste.
	for (let index = 0; index < lines; index++) {
		terminal.write(`${lineText(index)}${index < lines - 1 ? '\n' : ''}`);
		await terminal.waitFor(`line ${index}:`);
	}
	terminal.write(`${'\x1b[A'.repeat(Math.floor(lines / 2))}\n`);
	const delays = [];
	for (let key = 0; key < keys; key += 20) {
		let typed = `^${key}^`;
		terminal.write(typed);
		await terminal.waitFor(typed);
		for (let count = 0; count < 20; count++) {
			typed += 'wxkvjqbmphgdfyuc'[(key + typed.length * 5) % 16];
			const writtenAt = performance.now();
			terminal.write(typed.at(-1));
			delays.push((await terminal.waitFor(typed)) - writtenAt);
		}
		terminal.write('\n');
	}
	return {p50: percentile(delays, 0.5), p95: percentile(delays, 0.95)};
}

const actions = {
	insert: {type: 'insert', text: 'x'},
	'insert wide': {type: 'insert', text: '語'},
	newline: {type: 'insert', text: '\n'},
	up: {type: 'up'},
	down: {type: 'down'},
	left: {type: 'move', to: 'left'},
	'word left': {type: 'move', to: 'word left'},
	'erase left': {type: 'erase', to: 'left'},
	'kill word': {type: 'kill', to: 'word left'},
	yank: {type: 'yank'},
	undo: {type: 'undo'},
	redo: {type: 'redo'},
	'draft start': {type: 'move', to: 'start'},
	'draft end': {type: 'move', to: 'end'},
	chip: {type: 'paste', text: 'two\nlines'},
};

function lineText(index) {
	return `line ${index}: some words, 日本語 and an é that make it wrap on a narrow screen`;
}

function longDraft(lines) {
	let state = createComposer(columns);
	for (let index = 0; index < lines; index++) {
		state = compose(state, {type: 'paste', text: lineText(index)});
		if (index < lines - 1) state = compose(state, {type: 'insert', text: '\n'});
	}
	return state;
}

function pasteOnce(bytes, chunk, raw) {
	const line = 'A log line of some eighty characters, with a word in it that is not ASCII: é\r';
	const text = Buffer.from(line.repeat(Math.floor(bytes / Buffer.byteLength(line))));
	const stream = Object.assign(new EventEmitter(), {resume() {}, pause() {}});
	const {keymap} = createKeymap();
	let state = createComposer(columns);
	let [now, due] = [0];
	const input = createInput(
		stream,
		{
			onKey: key => (state = compose(state, actionOfKey(key, keymap))),
			onPaste: text => (state = compose(state, {type: 'paste', text})),
		},
		{now: () => now, after: (_ms, callback) => ((due = callback), () => (due = undefined))},
	);
	input.start();
	const usage = process.cpuUsage();
	const startedAt = performance.now();
	if (!raw) stream.emit('data', Buffer.from('\x1b[200~'));
	for (let at = 0; at < text.length; at += chunk) stream.emit('data', text.subarray(at, at + chunk));
	if (raw) {
		now += 1000;
		due();
	} else stream.emit('data', Buffer.from('\x1b[201~'));
	const view = viewComposer(state, rows);
	const wall = performance.now() - startedAt;
	const {user, system} = process.cpuUsage(usage);
	const shown = plainText(view.rows[0]);
	if (!shown.includes('[paste #1')) throw new Error(`no chip: ${shown}`);
	return {wall, cpu: (user + system) / 1000};
}

async function main() {
	const {values} = parseArgs({
		options: {
			rounds: {type: 'string', default: '5'},
			lines: {type: 'string', default: '5000'},
			pty: {type: 'boolean', default: false},
		},
	});
	const [rounds, lines] = [Number(values.rounds), Number(values.lines)];
	for (const [chunk, raw] of [
		[4096, false],
		[65_536, false],
		[4096, true],
		[65_536, true],
	]) {
		const {half, whole, ratio, cpu} = pasteCost({chunk, raw, rounds});
		print(
			`10 MB, ${raw ? 'raw' : 'bracketed'}, in ${chunk / 1024} kB`,
			`${whole.toFixed(0)} ms`,
			`CPU ${cpu.toFixed(0)} ms`,
			`5 MB ${half.toFixed(0)} ms`,
			`ratio ${ratio.toFixed(2)}`,
		);
	}
	for (const [name, {p50, p95, max}] of Object.entries(keyCost({lines})))
		print(`${name} in ${lines} lines`, ...[p50, p95, max].map(ms => `${ms.toFixed(2)} ms`));
	if (!values.pty) return;
	const {openTerminal} = await import('../test/helpers/pty.ts');
	for (const count of [1, lines]) {
		await using terminal = await openTerminal({cols: 120, rows: 40});
		await terminal.waitFor('offline');
		const {p50, p95} = await echoCost(terminal, {lines: count});
		print(`key to screen with ${count} lines`, `${p50.toFixed(1)} ms`, `${p95.toFixed(1)} ms`);
	}
}

function print(title, ...cells) {
	process.stdout.write(`| ${[title, ...cells].join(' | ')} |\n`);
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === import.meta.filename) await main();
