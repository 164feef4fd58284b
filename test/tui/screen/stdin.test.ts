import {EventEmitter} from 'node:events';
import {describe, expect, test} from 'vitest';
import {createInput} from '../../../src/tui/screen/stdin.ts';

/** A terminal's input whose time is moved by hand. */
function terminal() {
	const stream = Object.assign(new EventEmitter(), {
		isTTY: true, raw: [] as boolean[], flowing: false,
		setRawMode(raw: boolean) { stream.raw.push(raw); },
		resume() { stream.flowing = true; },
		pause() { stream.flowing = false; },
	});
	let now = 0;
	let timers: Array<{at: number; callback: () => void}> = [];
	const heard: string[] = [];
	const input = createInput(stream, {
		onKey: key => heard.push(key.text ?? `<${key.ctrl ? 'ctrl+' : ''}${key.alt ? 'alt+' : ''}${key.name}>`),
		onPaste: (text, cut) => heard.push(`paste${cut ? ' cut' : ''}:${text}`),
		onMouse: mouse => heard.push(`<${mouse.kind}>`),
		onFocus: focused => heard.push(focused ? '<focus>' : '<blur>'),
		onEnd: () => heard.push('<end>'),
		onReply: reply => heard.push(`reply:${reply.body}`),
	}, {
		now: () => now,
		after(ms, callback) {
			const timer = {at: now + ms, callback};
			timers.push(timer);
			return () => { timers = timers.filter(other => other !== timer); };
		},
	});
	return {
		stream, input, heard,
		write: (text: string) => stream.emit('data', Buffer.from(text)),
		pass: (ms: number) => {
			now += ms;
			for (const timer of timers.filter(timer => timer.at <= now)) {
				timers = timers.filter(other => other !== timer);
				timer.callback();
			}
		},
		timers: () => timers.length,
		take: () => heard.splice(0).join(''),
	};
}

describe('reading a terminal', () => {
	test('started and stopped, is raw and listens, then is given back with no timer left', () => {
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

	test('a lone ESC, is Escape after a while; with the rest in time, it is the sequence', () => {
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

	test('a paste without an end, ends after a while and the keyboard lives on', () => {
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

	test('a reply without an end, is dropped after a while', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b]11;rgb:1e1e');
		pass(500);
		write('x');
		expect(take()).toBe('x');
	});

	test('text typed behind a reply that never ends, is heard again in the end', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b]11;rgb:');
		for (let count = 0; count < 30; count++) {
			pass(100);
			write('x');
		}
		expect(take()).toMatch(/^x{9,}$/);
	});

	test('a terminal that goes away, is told', () => {
		const {input, stream, take} = terminal();
		input.start();
		stream.emit('error', new Error('EIO'));
		expect(take()).toBe('<end>');
	});

	test('mouse, focus and replies among keys, come in order', () => {
		const {input, write, take} = terminal();
		input.start();
		write('a\x1b[Ib\x1b[<64;1;1M\x1b[?62cc\x1b[A\x1b[O');
		expect(take()).toContain('<focus>');
		write('\x1b[Ax\x1b[B');
		expect(take()).toContain('<up>x<down>');
	});
});

describe('a paste without brackets', () => {
	test('text and Enter in one read, is typed and submitted', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('hello\r');
		pass(12);
		expect(take()).toBe('hello<enter>');
	});

	test('text, then Enter at once, is submitted', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('hello');
		pass(1);
		write('\r');
		expect(take()).toBe('hello');
		pass(12);
		expect(take()).toBe('<enter>');
	});

	test('a person\'s Enter, is heard at once', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('o');
		pass(30);
		write('\r');
		expect(take()).toBe('o<enter>');
	});

	test('an Enter amid text, makes a paste that submits nothing', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('one\rtwo\r');
		pass(99);
		expect(take()).toBe('');
		pass(1);
		expect(take()).toBe('paste:one\rtwo\r');
	});

	test('lines that come in reads close together, make one paste', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('one\r');
		pass(5);
		write('two\r');
		pass(5);
		write('thr');
		pass(5);
		pass(80);
		write('ee\r');
		pass(100);
		expect(take()).toBe('paste:one\rtwo\rthree\r');
	});

	test('a long text and an Enter, is a paste of the text and the Enter', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write(`${'x'.repeat(500)}\r`);
		pass(100);
		expect(take()).toBe(`paste:${'x'.repeat(500)}<enter>`);
	});

	test('Ctrl+J amid text, is a newline key as any other', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('one\ntwo\r');
		pass(12);
		expect(take()).toBe('one<ctrl+j>two<enter>');
	});

	test('Enter held down or other keys among text, stay keys', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\r\r\r');
		write('a\rb\x7f');
		write('one\r');
		write('\x1b[A');
		pass(50);
		expect(take()).toBe('<enter><enter><enter>a<enter>b<backspace>one<enter><up>');
	});

	test('a mouse report amid its reads, does not end it', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('one\rtwo');
		write('\x1b[<35;1;1M');
		write('\rthree');
		pass(100);
		expect(take()).toBe('<move>paste:one\rtwo\rthree');
	});

	test('16 MB of it, is taken in bounded memory and cut', () => {
		const {input, write, pass, heard} = terminal();
		input.start();
		const piece = `${'abc'.repeat(21)}\r`.repeat(64);
		for (let index = 0; index < 4096; index++) write(piece);
		pass(100);
		expect(heard).toHaveLength(1);
		expect(heard[0]!.startsWith('paste cut:abc')).toBe(true);
		expect(heard[0]!.length).toBeLessThan(11 * 1024 * 1024);
	});
});
