import {EventEmitter} from 'node:events';
import {describe, expect, onTestFinished, it} from 'vitest';
import {enterModes, holdTerminal, leaveModes} from '../../../src/screen/terminal/terminal.ts';

function held() {
	let written = '';
	const stdout = Object.assign(new EventEmitter(), {write: (text: string) => void (written += text)});
	const resizes: string[] = [];
	const terminal = holdTerminal(new EventEmitter(), stdout as never, {
		onResize: () => resizes.push('resize'),
		onContinue: () => {},
		onStop: () => {},
	});
	onTestFinished(() => terminal.release());
	const take = () => {
		const bytes = written;
		written = '';
		return bytes;
	};
	return {terminal, stdout, resizes, take};
}

const named = (name: string) => `\x1b]2;${name}\x1b\\`;
const [pushed, popped] = ['\x1b[22;0t', `${named('')}\x1b[23;0t`];

describe('a terminal that the chat uses', () => {
	it('writes no title when it has none', () => {
		const {terminal, take} = held();
		expect(take()).toBe(enterModes);
		terminal.release();
		expect(take()).toBe(leaveModes);
	});

	it('keeps the first title when it sets titles, and restores it once', () => {
		const {terminal, take} = held();
		take();
		terminal.setTitle('a');
		terminal.setTitle('b');
		terminal.ring();
		expect(take()).toBe(`${pushed}${named('a')}${named('b')}\x07`);
		terminal.release();
		terminal.release();
		expect(take()).toBe(`${popped}${leaveModes}${leaveModes}`);
	});

	it('is restored while another program uses it, and gets the latest title when it returns', async () => {
		const {terminal, take} = held();
		terminal.setTitle('a');
		take();
		await terminal.lend(async () => {
			expect(take()).toBe(`${popped}${leaveModes}`);
			terminal.setTitle('b');
			terminal.ring();
			expect(take()).toBe('');
		});
		expect(take()).toBe(`${enterModes}${pushed}${named('b')}`);
	});

	it('ignores Ctrl+C and resizes while another program uses it, and handles them afterwards', async () => {
		const {terminal, stdout, resizes} = held();
		const signals: string[] = [];
		const hear = () => signals.push('SIGINT');
		process.on('SIGINT', hear);
		process.once('SIGINT', hear);
		onTestFinished(() => void process.off('SIGINT', hear));
		const before = process.rawListeners('SIGINT');
		await terminal.lend(async () => {
			process.emit('SIGINT', 'SIGINT');
			stdout.emit('resize');
			expect(process.listenerCount('SIGINT')).toBe(1);
		});
		expect([signals, resizes]).toEqual([[], []]);
		expect(process.rawListeners('SIGINT')).toEqual(before);
		stdout.emit('resize');
		process.emit('SIGINT', 'SIGINT');
		process.emit('SIGINT', 'SIGINT');
		expect([signals.length, resizes.length]).toEqual([3, 1]);
	});

	it('keeps its modes off when it is restored while another program uses it', async () => {
		const {terminal, take} = held();
		await terminal.lend(async () => {
			terminal.release();
			take();
		});
		expect(take()).toBe('');
	});
});
