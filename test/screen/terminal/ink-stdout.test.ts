import {PassThrough} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {enterModes, restoreAll} from '../../../src/screen/terminal/terminal.ts';
import {capabilityQuery} from '../../../src/screen/terminal/capabilities.ts';
import {isDumb, isPlainStdout, plainStdout} from '../../../src/screen/terminal/ink-stdout.ts';

function opened() {
	const stream = new PassThrough();
	const plain = plainStdout(stream as unknown as NodeJS.WriteStream);
	return {stream, plain, written: () => String(stream.read() ?? '')};
}

describe('a terminal without control sequences', () => {
	it('is the one whose TERM is dumb', () => {
		expect([isDumb({TERM: 'dumb'}), isDumb({TERM: 'xterm'}), isDumb({})]).toEqual([true, false, false]);
	});

	it.each([
		['modes', enterModes + restoreAll],
		['queries', capabilityQuery],
		['a title', '\x1b]2;inkpod\x1b\\\x1b]2;inkpod\x07'],
		['a copied text', '\x1b]52;c;aGk=\x07'],
		['colours and cursor moves', '\x1b[1;31m\x1b[2A\x1b[K\x1b[0m\x1b7\x1b8'],
	])('gets no %s', (_, bytes) => {
		const {plain, written} = opened();
		plain.write(`before${bytes}after`);
		expect(written()).toBe('beforeafter');
	});

	it('is otherwise the stream itself', async () => {
		const {plain, stream} = opened();
		expect([isPlainStdout(plain), isPlainStdout(stream)]).toEqual([true, false]);
		const resized = new Promise<void>(resolve => plain.once('resize', resolve));
		stream.emit('resize');
		await resized;
		await new Promise<void>(resolve => plain.write('x', () => resolve()));
	});
});
