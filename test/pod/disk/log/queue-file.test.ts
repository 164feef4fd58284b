import {describe, expect, it} from 'vitest';
import type {QueueMessage} from '../../../../src/pod/protocol/queue.ts';
import {encodeQueue, parseQueue} from '../../../../src/pod/disk/log/queue-file.ts';

const messages: readonly QueueMessage[] = [
	{id: 'a', segments: [{type: 'text', text: 'first\n„ß 👍” ]}\n"sum":"x"'}]},
	{id: 'b', segments: [{type: 'text', text: 'second \ud83d'}]},
	{id: 'c', segments: [{type: 'text', text: 'ls'}], command: 'ls -l'},
	{id: 'd', segments: []},
];
const text = encodeQueue(messages);
const written = new Map(messages.map(message => [message.id, JSON.stringify(message)]));

/** Returns the number of messages. Fails if one of them is not as it was written. */
function readable(changed: string): number {
	const read = parseQueue(changed);
	for (const message of read.messages) expect(JSON.stringify(message)).toBe(written.get(message.id));
	expect(read.isDamaged).toBe(true);
	return read.messages.length;
}

describe('queue.json', () => {
	it('is JSON, and gives back its messages', () => {
		const {messages: stored} = JSON.parse(text) as {messages: unknown[]};
		expect(stored).toMatchObject(messages);
		expect(parseQueue(text)).toEqual({messages, isDamaged: false});
		expect(parseQueue(encodeQueue(messages.slice(0, 1)))).toEqual({
			messages: messages.slice(0, 1),
			isDamaged: false,
		});
	});

	it('offers the whole messages before any cut', () => {
		const bytes = Buffer.from(text);
		for (let length = 0; length < bytes.length; length++) {
			const cut = bytes.toString('utf8', 0, length);
			const whole = cut.match(/"sum":"[0-9a-f]{32}"\}/g)?.length ?? 0;
			expect(readable(cut)).toBe(whole);
		}
	});

	it('offers no changed message, and all but two of the others, whichever byte is changed', () => {
		const bytes = Buffer.from(text);
		for (const [at, byte] of bytes.entries())
			for (const other of [byte ^ 1, byte ^ 0x20, 0x0a, 0x2c, 0x22].filter(to => to !== byte)) {
				const changed = Buffer.from(bytes);
				changed[at] = other;
				expect(readable(changed.toString())).toBeGreaterThanOrEqual(messages.length - 2);
			}
	});

	it('is read without sums in a file of an earlier version', () => {
		const old = `${JSON.stringify({format: 'inkpod.queue/1', messages})}\n`;
		expect(parseQueue(old)).toEqual({messages, isDamaged: false});
		expect(parseQueue(old.trim())).toEqual({messages, isDamaged: false});
		expect(parseQueue(old.slice(0, 80))).toEqual({messages: [], isDamaged: true});
	});

	it('has a limit', () => {
		const many = Array.from({length: 1001}, (_, n): QueueMessage => ({id: `${n}`, segments: []}));
		expect(parseQueue(encodeQueue(many.slice(1)))).toMatchObject({isDamaged: false});
		expect(parseQueue(encodeQueue(many)).isDamaged).toBe(true);
	});
});
