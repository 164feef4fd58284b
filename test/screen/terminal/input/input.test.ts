import {describe, expect, it} from 'vitest';
import {terminal} from './terminal-input.ts';

describe('the reader of a terminal', () => {
	it('sets raw mode at the start, and restores the terminal with no timer left at the end', () => {
		const {stream, input, write, timers, take} = terminal();
		input.start();
		input.start();
		expect(stream).toMatchObject({raw: [true], flowing: true});
		write('a\x1b');
		expect(timers()).toBe(1);
		input.stop();
		input.stop();
		expect(stream).toMatchObject({raw: [true, false], flowing: false});
		expect([timers(), stream.listenerCount('data'), take()]).toEqual([0, 0, 'a']);
		input.start();
		write('[A');
		expect(take()).toBe('[A');
	});

	it('leaves raw mode on for a screen that follows, so that Ctrl+D and Enter stay keys in between', () => {
		const {stream, input} = terminal();
		input.start();
		input.stop(true);
		expect(stream).toMatchObject({raw: [true], flowing: false});
		expect(stream.listenerCount('data')).toBe(0);
	});

	it('sets raw mode again after another program changed it, and loses no partial sequence, paste or Enter', () => {
		const {stream, input, write, pass, take} = terminal();
		input.renew();
		expect(stream.raw).toEqual([]);
		input.start();
		for (const [before, behind, heard] of [
			['\x1b', '[A', '<up>'],
			['\x1b[200~one\rt', 'wo\r\x1b[201~', 'paste:one\ntwo\n'],
			['hello\r', '', 'hello<enter>'],
		] as const) {
			write(before);
			stream.raw = [];
			input.renew();
			expect(stream).toMatchObject({raw: [false, true], flowing: true});
			write(behind);
			pass(1000);
			expect(take()).toBe(heard);
		}
	});

	it('turns a lone ESC into Escape after a while, or into the sequence when the rest arrives in time', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b');
		pass(19);
		expect(take()).toBe('');
		pass(1);
		expect(take()).toBe('<escape>');
		write('\x1b');
		pass(10);
		write('[A');
		expect(take()).toBe('<up>');
	});

	it.each([
		['\x1b[I', '<focus><escape>'],
		['\x1b[?62;4c', '<escape>'],
		['\x1b[<0;3;4M', '<escape>'],
		['\x1b[1;2R', '<alt+f3>'],
	])(
		'keeps an Escape key that arrives right before a report, but takes ESC before a key as Alt: %j',
		(sent, heard) => {
			const {input, write, pass, take} = terminal();
			input.start();
			write('\x1b');
			write(sent);
			pass(1000);
			expect(take()).toContain(heard);
		},
	);

	it('types no part of a report on a slow line, but types the text after Escape', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		for (const byte of '\x1b[?62;22c') {
			write(byte);
			pass(100);
		}
		expect(take()).toBe('<escape>reply:?62;22c');
		for (const byte of '\x1b[1] P') {
			write(byte);
			pass(200);
		}
		expect(take()).toBe('<escape>[1] P');
	});

	it('ends an unfinished paste after a while, and the keyboard still works', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b[200~abc');
		pass(1999);
		write('def');
		pass(1999);
		expect(take()).toBe('');
		pass(1);
		expect(take()).toBe('paste:abcdef');
		write('x\x1b[201~y');
		expect(take()).toBe('xy');
	});

	it.for([
		['in its marks', '\x1b[200~', '\x1b[201~'],
		['without marks', '', ''],
	] as const)('starts one timer for a paste of 1 MB %s, not one per read', ([, before, after]) => {
		const {input, write, pass, timers, timersMade, heard} = terminal();
		input.start();
		write(before);
		for (let read = 0; read < 256; read++) write(`${'x'.repeat(4095)}\r`);
		write(after);
		pass(100);
		expect(heard).toHaveLength(1);
		expect(timersMade()).toBeLessThanOrEqual(2);
		pass(2000);
		expect(timers()).toBe(0);
	});

	it('drops an unfinished reply after a while', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b]11;rgb:1e1e');
		pass(500);
		write('x');
		pass(30);
		expect(take()).toBe('x');
	});

	it('delivers the text after a reply that never ends', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b]11;rgb:');
		for (let count = 0; count < 30; count++) {
			pass(100);
			write('x');
		}
		expect(take()).toMatch(/^x{9,}$/);
	});

	it('reports a terminal that disappears', () => {
		const {input, stream, take} = terminal();
		input.start();
		stream.emit('error', new Error('EIO'));
		expect(take()).toBe('<end>');
	});

	it('keeps mouse events, focus events and replies in order among keys', () => {
		const {input, write, take} = terminal();
		input.start();
		write('a\x1b[Ib\x1b[<64;1;1M\x1b[?62cc\x1b[A\x1b[O');
		expect(take()).toContain('<focus>');
		write('\x1b[Ax\x1b[B');
		expect(take()).toContain('<up>x<down>');
	});
});
