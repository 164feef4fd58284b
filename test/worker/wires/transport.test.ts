import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {HttpError} from '../../../src/worker/wires/http/http-error.ts';
import {sendToModel, type IncomingAnswer} from '../../../src/worker/wires/transport.ts';

const request = {
	url: 'http://example.invalid/',
	headers: {'x-own': 'yes'},
	body: [Buffer.from('ü')],
	signal: new AbortController().signal,
};

async function sent(response: Response | ReadableStream<Uint8Array>, seen: string[] = []): Promise<IncomingAnswer> {
	return sendToModel(
		request,
		{onBytes: () => seen.push('bytes')},
		{
			async base(input, init) {
				const made = new Request(input, init);
				seen.push(`${made.method} ${made.url} ${made.headers.get('x-own')} ${await made.text()}`);
				return response instanceof Response ? response : new Response(response);
			},
		},
	);
}

describe('a request to a model', () => {
	it('is sent once as it is, and all received bytes are reported', async () => {
		const seen: string[] = [];
		const {source, headers} = await sent(new Response('answer', {headers: {'content-type': 'text/x'}}), seen);
		expect(headers['content-type']).toBe('text/x');
		expect(Buffer.from((await source.read()).value ?? []).toString()).toBe('answer');
		expect(await source.read()).toEqual({done: true});
		expect(seen).toEqual(['POST http://example.invalid/ yes ü', 'bytes', 'bytes']);
	});

	it('rejects with the answer of a server that does not accept it', async () => {
		const refusal = new Response('no', {status: 418, headers: {'x-kept': 'yes'}});
		const error: unknown = await sent(refusal).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(HttpError);
		expect(error).toMatchObject({status: 418, body: 'no', headers: {'x-kept': 'yes'}});
	});

	it('is not sent when it is stopped before', async () => {
		const seen: string[] = [];
		const signal = AbortSignal.abort(new Error('stopped'));
		const sending = sendToModel({...request, signal}, {onBytes: () => seen.push('bytes')});
		await expect(sending).rejects.toThrow('stopped');
		expect(seen).toEqual([]);
	});
});

describe('an answer', () => {
	it('joins pieces that arrive close together, keeps all bytes, and has an error after them', async () => {
		const pieces = Array.from({length: 200}, (_, at) => `piece ${at};`);
		const startedAt = performance.now();
		const {source} = await sent(
			new ReadableStream<Uint8Array>({
				async start(controller) {
					for (const piece of pieces) {
						controller.enqueue(Buffer.from(piece));
						await sleep(1);
					}
					controller.error(new Error('torn'));
				},
			}),
		);
		const got: string[] = [];
		const read = async () => {
			for (let found = await source.read(); !found.done; found = await source.read())
				got.push(Buffer.from(found.value).toString());
		};
		await expect(read()).rejects.toThrow('torn');
		expect(got.join('')).toBe(pieces.join(''));
		expect(got[0]).toBe(pieces[0]);
		expect(got.length).toBeLessThan(3 + (performance.now() - startedAt) / 40);
	});

	it('is not read ahead when its reader pauses, and is closed when its reader cancels', async () => {
		let given = 0;
		let left: unknown;
		const {source} = await sent(
			new ReadableStream<Uint8Array>({
				pull(controller) {
					given++;
					controller.enqueue(Buffer.alloc(1024));
				},
				cancel(reason) {
					left = reason;
				},
			}),
		);
		await sleep(100);
		expect(given).toBeLessThan(20);
		expect((await source.read()).value?.length).toBe(16 * 1024);
		await sleep(20);
		expect(given).toBeLessThan(40);
		await source.cancel('enough');
		expect(left).toBe('enough');
	});
});
