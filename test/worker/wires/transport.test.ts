import {createHash} from 'node:crypto';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {createTransport} from '../../../src/worker/wires/transport.ts';

describe('a transport', () => {
	it('waits longer than a connection stays open without a request', async () => {
		const server = createServer((message, response) => {
			message.resume();
			void (async () => {
				if (message.url === '/headers') await sleep(4500);
				response.write('half ');
				if (message.url === '/body') await sleep(4500);
				response.end('whole');
			})();
		});
		await new Promise<void>(resolve => {
			server.listen(0, '127.0.0.1', resolve);
		});
		const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const transport = createTransport({async onReady() {}, onBytes() {}});
		const text = async (path: string): Promise<string> =>
			(await transport(`${root}${path}`, {method: 'POST', body: '{}'})).text();
		expect(await Promise.all([text('/headers'), text('/body')])).toEqual(['half whole', 'half whole']);
		server.close();
	});

	it('joins pieces that arrive close together, keeps all bytes, and sends an error after them', async () => {
		const pieces = Array.from({length: 200}, (_, at) => `piece ${at};`);
		const source = new ReadableStream<Uint8Array>({
			async start(controller) {
				for (const piece of pieces) {
					controller.enqueue(Buffer.from(piece));
					await sleep(1);
				}
				controller.error(new Error('torn'));
			},
		});
		const startedAt = performance.now();
		const response = await createTransport(
			{async onReady() {}, onBytes() {}},
			{base: async () => new Response(source)},
		)('http://example.invalid/', {method: 'POST', body: '{}'});
		const reader = response.body!.getReader();
		const got: string[] = [];
		const read = async () => {
			for (let found = await reader.read(); !found.done; found = await reader.read())
				got.push(Buffer.from(found.value).toString());
		};
		await expect(read()).rejects.toThrow('torn');
		expect(got.join('')).toBe(pieces.join(''));
		expect(got[0]).toBe(pieces[0]);
		expect(got.length).toBeLessThan(3 + (performance.now() - startedAt) / 40);
	});

	it('stops reading ahead when the reader pauses or cancels', async () => {
		let given = 0;
		let left: unknown;
		const source = new ReadableStream<Uint8Array>({
			pull(controller) {
				given++;
				controller.enqueue(Buffer.alloc(1024));
			},
			cancel(reason) {
				left = reason;
			},
		});
		const response = await createTransport(
			{async onReady() {}, onBytes() {}},
			{base: async () => new Response(source)},
		)('http://example.invalid/', {method: 'POST', body: '{}'});
		await sleep(100);
		expect(given).toBeLessThan(20);
		const reader = response.body!.getReader();
		expect((await reader.read()).value!.length).toBe(16 * 1024);
		await sleep(20);
		expect(given).toBeLessThan(40);
		await reader.cancel('enough');
		expect(left).toBe('enough');
	});

	it('reports the hash of the body before it is sent, and all received bytes', async () => {
		const seen: string[] = [];
		const transport = createTransport(
			{onReady: async hash => void seen.push(hash), onBytes: () => seen.push('bytes')},
			{
				base: async () => {
					seen.push('fetch');
					return new Response('answer', {status: 201, headers: {'x-kept': 'yes'}});
				},
			},
		);
		const response = await transport('http://example.invalid/', {method: 'POST', body: 'ü'});
		expect(await response.text()).toBe('answer');
		expect([response.status, response.headers.get('x-kept')]).toEqual([201, 'yes']);
		expect(seen.slice(1)).toEqual(['fetch', 'bytes', 'bytes']);
		expect(seen[0]).toBe(createHash('sha256').update('ü').digest('hex'));
	});
});
