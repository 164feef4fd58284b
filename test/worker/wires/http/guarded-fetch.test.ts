import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {describe, expect, it} from 'vitest';
import {openGuarded} from '../../../../src/worker/wires/http/guarded-fetch.ts';
import {textOf, type Source} from '../../../../src/worker/wires/http/source.ts';
import {flood, head, startRawServer} from '../../../helpers/wire-servers/raw.ts';
import {says, saysRaw} from '../../../helpers/wire-servers/hostile.ts';

const kibibyte = 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('an answer whose connection ends before it is read', () => {
	const sizes = [1, 16, 64, 65, 100, 128, 300, 1024, 8192].map(count => count * kibibyte);

	it.each(sizes)('is complete when the connection ends after %i bytes', async size => {
		await using server = await startRawServer(says('x'.repeat(size)));
		const {source} = await openGuarded(server.url);
		await server.allClosed();
		expect((await textOf(source!)).length).toBe(size);
	});

	it.each(sizes)('causes an error after %i bytes of an incomplete chunk', async size => {
		await using server = await startRawServer(
			saysRaw(`${head({'transfer-encoding': 'chunked'})}fffffff\r\n${'x'.repeat(size)}`),
		);
		const {source} = await openGuarded(server.url);
		await server.allClosed();
		await expect(textOf(source!)).rejects.toThrow('terminated');
	});
});

describe('an answer that is not read', () => {
	it('is refused when 64 MB of it are unread', async () => {
		await using server = await startRawServer(async socket => {
			socket.write(head());
			await flood(socket, Buffer.alloc(64 * kibibyte));
		});
		const {source} = await openGuarded(server.url);
		await server.allClosed();
		await expect(textOf(source!)).rejects.toMatchObject({reason: 'answer_too_large'});
		expect(server.sent()).toBeLessThan(80 * kibibyte * kibibyte);
	});

	it.each<readonly [string, number, (source: Source) => Promise<unknown>]>([
		['after it was left at the limit', 75, async source => textOf(source).catch(() => {})],
		['after it was cancelled', 40, async source => source.cancel()],
	])('releases its memory %s', async (_, megabytes, end) => {
		const held = () => {
			collectGarbage();
			return process.memoryUsage().arrayBuffers;
		};
		await using server = await startRawServer(async socket => {
			socket.write(head());
			await flood(socket, Buffer.alloc(64 * kibibyte), megabytes * 16);
			socket.end();
		});
		// Memory of earlier tests is released a little later.
		await expect.poll(held).toBeLessThan(16 * kibibyte * kibibyte);
		await (async () => {
			const {source} = await openGuarded(server.url);
			await server.allClosed();
			expect(held()).toBeGreaterThan(32 * kibibyte * kibibyte);
			await end(source!);
		})();
		await expect.poll(held).toBeLessThan(16 * kibibyte * kibibyte);
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
