import {PassThrough} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {readStdin} from '../../../src/cli/print/read-stdin.ts';

/** A pipe that a test writes to, and the end of the patience with it. */
function pipe() {
	const stream = new PassThrough();
	const patience = new AbortController();
	return {stream, patience, read: readStdin(stream, patience.signal)};
}

describe('readStdin with patience', () => {
	it('leaves out a stdin that stays open without data, with a warning', async () => {
		const {stream, patience, read} = pipe();
		patience.abort();
		expect(await read).toEqual({ok: true, text: '', warning: expect.stringContaining('/dev/null')});
		expect(stream.destroyed).toBe(true);
	});

	it('reads a stdin that has begun to send to its end, however long that takes', async () => {
		const {stream, patience, read} = pipe();
		stream.write('one ');
		await new Promise(resolve => setImmediate(resolve));
		patience.abort();
		stream.end('two');
		expect(await read).toEqual({ok: true, text: 'one two'});
	});

	it('does not wait for a stdin that is at its end', async () => {
		const {stream, read} = pipe();
		stream.end();
		expect(await read).toEqual({ok: true, text: ''});
	});

	it('reports a stdin that cannot be read', async () => {
		const {stream, read} = pipe();
		stream.destroy(Object.assign(new Error('broken'), {code: 'EIO'}));
		expect(await read).toEqual({ok: false, sentence: expect.stringContaining('EIO')});
	});
});

describe('readStdin without patience', () => {
	it('waits for the prompt itself', async () => {
		const stream = new PassThrough();
		const read = readStdin(stream);
		setImmediate(() => stream.end('the prompt'));
		expect(await read).toEqual({ok: true, text: 'the prompt'});
	});
});
