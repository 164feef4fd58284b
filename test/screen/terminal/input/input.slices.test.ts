import {EventEmitter} from 'node:events';
import {describe, expect, it} from 'vitest';
import {createInput, type Arrival} from '../../../../src/screen/terminal/input/input.ts';

/** Creates an input whose keys take a millisecond each, with timers that fire one by one. */
function slowKeys() {
	const stream = Object.assign(new EventEmitter(), {
		isFlowing: false,
		resume() {
			stream.isFlowing = true;
		},
		pause() {
			stream.isFlowing = false;
		},
	});
	const timers: Array<{readonly at: number; readonly callback: () => void}> = [];
	const heard: Array<{readonly name: string; readonly arrival: Arrival}> = [];
	let now = 0;
	const input = createInput(
		stream,
		{
			onKey(key, arrival) {
				now += 1;
				heard.push({name: key.ctrl ? `ctrl+${key.name}` : key.name, arrival});
			},
			onPaste: () => {},
		},
		{
			now: () => now,
			after(ms, callback) {
				const timer = {at: now + ms, callback};
				timers.push(timer);
				return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1));
			},
		},
	);
	input.start();
	return {
		stream,
		input,
		heard,
		write: (text: string) => stream.emit('data', Buffer.from(text)),
		/** Fires the next timer. Returns false when no timer waits. */
		turn: () => {
			const timer = timers.toSorted((one, other) => one.at - other.at)[0];
			if (timer === undefined) return false;
			timers.splice(timers.indexOf(timer), 1);
			now = Math.max(now, timer.at);
			timer.callback();
			return true;
		},
	};
}

describe('a flood of keys', () => {
	it('is handled in short slices, in order, each key once', () => {
		const {write, heard, turn} = slowKeys();
		write(`${'\x1b[A\x1b[B'.repeat(2000)}\x03`);
		const sizes = [heard.length];
		for (let before = heard.length; turn(); before = heard.length) sizes.push(heard.length - before);
		expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
		expect(heard.map(({name}) => name)).toEqual([
			...Array.from({length: 4000}, (_, at) => (at % 2 === 0 ? 'up' : 'down')),
			'ctrl+c',
		]);
	});

	it('delays later keys, none of which can answer a card', () => {
		const {write, heard, turn} = slowKeys();
		write('\x1b[A'.repeat(100));
		turn();
		write('1');
		expect(heard.at(-1)!.name).toBe('up');
		while (turn());
		expect(heard).toHaveLength(101);
		expect(heard.at(-1)).toMatchObject({name: '1', arrival: {alone: false}});
		write('2');
		expect(heard.at(-1)).toMatchObject({name: '2', arrival: {alone: true}});
	});

	it('pauses reading while too much input waits, and does not break a sequence that was cut there', () => {
		const {stream, write, heard, turn} = slowKeys();
		write(`${'\x1b[A'.repeat(60_000)}\x1b`);
		expect(stream.isFlowing).toBe(false);
		while (!stream.isFlowing && turn());
		write('[B');
		while (turn());
		expect(heard).toHaveLength(60_001);
		expect(heard.at(-1)!.name).toBe('down');
	});

	it('is delivered to its end after the input was stopped, and the input stays paused', () => {
		const {stream, input, write, heard, turn} = slowKeys();
		write('\x1b[A'.repeat(60_000));
		input.stop();
		while (turn());
		expect(heard).toHaveLength(60_000);
		expect(stream.isFlowing).toBe(false);
	});
});
