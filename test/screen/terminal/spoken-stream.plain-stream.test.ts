import {describe, expect, it} from 'vitest';
import {plainFrames} from '../../../src/screen/terminal/spoken-stream.ts';

const caret = {up: 0, x: 0};

function opened() {
	const frames = plainFrames(() => 20);
	return {frames, show: (lines: readonly string[], said = '') => frames.next(said, lines, caret)};
}

describe('the frames of a terminal without control sequences', () => {
	it('are written as they are at first', () => {
		expect(opened().show(['Status: idle', 'Message: '])).toBe('Status: idle\r\nMessage: ');
	});

	it('follow what you type, and take back what you erase', () => {
		const {show} = opened();
		show(['Status: idle', 'Message: ']);
		expect(show(['Status: idle', 'Message: ab'])).toBe('ab');
		expect(show(['Status: idle', 'Message: ab'])).toBe('');
		expect(show(['Status: idle', 'Message: '])).toBe('\b \b\b \b');
		expect(show(['Status: idle', 'Message: 日本'])).toBe('日本');
		expect(show(['Status: idle', 'Message: 日'])).toBe('\r\nMessage: 日');
		expect(show(['Status: idle', 'Message: other'])).toBe('\r\nMessage: other');
	});

	it('repeat only the lines that have changed', () => {
		const {show} = opened();
		show(['A list', 'Status: idle', 'Message: a']);
		expect(show(['A list', 'Status: busy', 'Message: a'])).toBe('\r\nStatus: busy\r\nMessage: a');
	});

	it('come after new texts, which are wrapped', () => {
		const {show} = opened();
		show(['Status: idle', 'Message: ']);
		expect(show(['Status: idle', 'Message: '], 'Answer: some words in two rows\n')).toBe(
			'\r\nAnswer: some words\r\nin two rows\r\nMessage: ',
		);
	});

	it('end with a new line, and begin again after that', () => {
		const {frames, show} = opened();
		expect(frames.leave()).toBe('');
		show(['Status: idle', 'Message: a']);
		expect(frames.leave()).toBe('\r\n');
		expect(show(['Status: idle', 'Message: a'])).toBe('Status: idle\r\nMessage: a');
	});
});
