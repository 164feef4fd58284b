import {describe, expect, it} from 'vitest';
import {createGuardedFetch, openGuarded} from '../../../../src/worker/wires/http/guarded-fetch.ts';
import {textOf} from '../../../../src/worker/wires/http/source.ts';
import {startServer} from '../../../helpers/proxy-server.ts';
import {head, startRawServer} from '../../../helpers/wire-servers/raw.ts';
import {says, saysRaw} from '../../../helpers/wire-servers/hostile.ts';

const kibibyte = 1024;

describe('an answer whose connection ends', () => {
	const sizes = [1, 16, 64, 65, 100, 128, 300, 1024, 8192].map(count => count * kibibyte);

	it.each(sizes)('is complete after %i bytes', async size => {
		await using server = await startRawServer(says('x'.repeat(size)));
		const {source} = await openGuarded(server.url);
		// A server can end the connection before the read only if the system holds all bytes.
		if (size <= 16 * kibibyte) await server.allClosed();
		expect((await textOf(source!)).length).toBe(size);
		await server.allClosed();
	});

	it.each(sizes)('causes an error after %i bytes of an incomplete chunk', async size => {
		await using server = await startRawServer(
			saysRaw(`${head({'transfer-encoding': 'chunked'})}fffffff\r\n${'x'.repeat(size)}`),
		);
		const {source} = await openGuarded(server.url);
		let length = 0;
		const read = async () => {
			for (let piece = await source!.read(); !piece.done; piece = await source!.read())
				length += piece.value.length;
		};
		await expect(read()).rejects.toThrow('the connection ended early');
		expect(length).toBe(size);
		await server.allClosed();
	});
});

describe('an answer that is read slowly', () => {
	it('is complete', async () => {
		const size = 20 * kibibyte * kibibyte;
		await using server = await startRawServer(says('x'.repeat(size)));
		const {source} = await openGuarded(server.url);
		let length = 0;
		for (let piece = await source!.read(); !piece.done; piece = await source!.read()) {
			length += piece.value.length;
			if (length % 7 === 0) await new Promise(resolve => setImmediate(resolve));
		}
		expect(length).toBe(size);
	});
});

describe('a guarded fetch', () => {
	it('sends what fetch would send, and answers as fetch does', async () => {
		const server = await startServer((request, response) => {
			const parts = [request.method, request.url, request.headers['content-type'], request.headers['x-own']];
			request.setEncoding('utf8').on('data', (text: string) => parts.push(text));
			request.on('end', () => response.writeHead(201, 'Made', {'x-a': ['b', 'c']}).end(parts.join(' ')));
		});
		const fetch = createGuardedFetch({maxBytes: 1000});
		const body = new URLSearchParams({a: 'b c'});
		const response = await fetch(new URL(`${server.url}/x?y`), {method: 'POST', headers: [['x-own', 'o']], body});
		expect([response.status, response.statusText, response.headers.get('x-a')]).toEqual([201, 'Made', 'b, c']);
		const form = 'application/x-www-form-urlencoded;charset=UTF-8';
		expect(await response.text()).toBe(`POST /x?y ${form} o a=b+c`);
		const asked = await fetch(new Request(`${server.url}/z`, {headers: {'x-own': 'r'}}));
		expect(await asked.text()).toBe('GET /z  r');
	});

	it('stops when its signal or that of its request aborts', async () => {
		await using server = await startRawServer(saysRaw(`${head()}x`, 'stall'));
		const fetch = createGuardedFetch({maxBytes: 1000});
		for (const inRequest of [false, true]) {
			const stop = new AbortController();
			const {signal} = stop;
			const response = await (inRequest ? fetch(new Request(server.url, {signal})) : fetch(server.url, {signal}));
			stop.abort();
			await expect(response.text()).rejects.toMatchObject({name: 'AbortError'});
		}
		await server.allClosed();
	});
});
