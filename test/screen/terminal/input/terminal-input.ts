import {EventEmitter} from 'node:events';
import {createInput} from '../../../../src/screen/terminal/input/input.ts';
import type {Input} from '../../../../src/screen/terminal/input/keys/key-names.ts';

/** Returns a terminal's input with a manual clock. */
export function terminal() {
	const stream = Object.assign(new EventEmitter(), {
		isTTY: true,
		raw: [] as boolean[],
		flowing: false,
		setRawMode(raw: boolean) {
			stream.raw.push(raw);
		},
		resume() {
			stream.flowing = true;
		},
		pause() {
			stream.flowing = false;
		},
	});
	let now = 0;
	let timers: Array<{at: number; callback: () => void}> = [];
	let timersMade = 0;
	const heard: string[] = [];
	const input = createInput(
		stream,
		{
			onKey: key => heard.push(key.text ?? `<${key.ctrl ? 'ctrl+' : ''}${key.alt ? 'alt+' : ''}${key.name}>`),
			onPaste: (text, cut) => heard.push(`paste${cut ? ' cut' : ''}:${text}`),
			onMouse: mouse => heard.push(`<${mouse.kind}>`),
			onFocus: focused => heard.push(focused ? '<focus>' : '<blur>'),
			onEnd: () => heard.push('<end>'),
			onReply: reply => heard.push(`reply:${reply.body}`),
		},
		{
			now: () => now,
			after(ms, callback) {
				const timer = {at: now + ms, callback};
				timers.push(timer);
				timersMade++;
				return () => {
					timers = timers.filter(other => other !== timer);
				};
			},
		},
	);
	return {
		stream,
		input,
		heard,
		write: (text: string) => stream.emit('data', Buffer.from(text)),
		writeBytes: (bytes: Uint8Array) => stream.emit('data', bytes),
		pass: (ms: number) => {
			now += ms;
			for (const timer of timers.filter(timer => timer.at <= now)) {
				timers = timers.filter(other => other !== timer);
				timer.callback();
			}
		},
		timers: () => timers.length,
		timersMade: () => timersMade,
		take: () => heard.splice(0).join(''),
	};
}

/** Returns the chord of a key and its text, or other input as JSON. */
export function describeInput(input: Input): string {
	if (input.type === 'key') {
		const {key} = input;
		return (
			[key.super && 'super', key.ctrl && 'ctrl', key.alt && 'alt', key.shift && 'shift', key.name]
				.filter(Boolean)
				.join('+') + (key.text === undefined ? '' : `=${key.text}`)
		);
	}
	return JSON.stringify(input);
}
