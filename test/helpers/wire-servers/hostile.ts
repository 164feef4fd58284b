import {brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync} from 'node:zlib';
import type {Socket} from 'node:net';
import type {Json} from './speech.ts';
import {flood, head, type Play} from './raw.ts';

/** Answers of chat completions that no honest server gives. */

const mebibyte = 1024 * 1024;

/** Returns an event of an answer. `null` ends the answer. */
export function chunk(delta: Json, more: Json = {}): string {
	return event({choices: [{index: 0, delta, finish_reason: null}], ...more});
}

export const text = (content: string) => chunk({role: 'assistant', content});

/** Returns a whole tool call in one event. */
export function toolCall(
	index: number,
	call: {readonly id?: string; readonly name?: string; readonly args?: string},
): string {
	const {id = `call_${index}`, name = 'read', args = '{}'} = call;
	return chunk({tool_calls: [{index, id, type: 'function', function: {name, arguments: args}}]});
}

export function ending(reason = 'stop', usage: Json = {prompt_tokens: 1, completion_tokens: 1}): string {
	const choices = [{index: 0, delta: {}, finish_reason: reason}];
	return `${event({choices, usage})}data: [DONE]\n\n`;
}

export const whole = text('Hello') + ending();

function event(more: Json): string {
	const head = {id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm'};
	return `data: ${JSON.stringify({...head, ...more})}\n\n`;
}

/** Answers with these bytes, then ends the connection. */
export function says(body: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = '200 OK'): Play {
	return socket => {
		socket.write(head({connection: 'close', ...headers}, status));
		socket.end(body);
	};
}

/** Answers with exactly these bytes, then ends the connection, resets it or stays silent. */
export function saysRaw(bytes: string | Buffer, then: 'end' | 'reset' | 'stall' = 'end'): Play {
	return socket => {
		if (then === 'end') socket.end(bytes);
		else socket.write(bytes, () => then === 'reset' && socket.resetAndDestroy());
	};
}

/** Answers with this piece again and again. */
export function floods(
	piece: string | Buffer,
	headers: Readonly<Record<string, string>> = {},
	status = '200 OK',
): Play {
	return async socket => {
		socket.write(head(headers, status));
		await flood(socket, piece);
	};
}

/** Returns the bytes of `piece` as one HTTP chunk each, without an end. */
export function chunked(piece: string): (socket: Socket) => Promise<void> {
	return async socket => {
		socket.write(head({'transfer-encoding': 'chunked'}));
		await flood(socket, `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
	};
}

export const encoders = {
	gzip: (bytes: Buffer) => gzipSync(bytes),
	deflate: (bytes: Buffer) => deflateSync(bytes),
	br: (bytes: Buffer) => brotliCompressSync(bytes, {params: {[constants.BROTLI_PARAM_QUALITY]: 1}}),
	zstd: (bytes: Buffer) => zstdCompressSync(bytes),
} as const;

export type Encoding = keyof typeof encoders;

/** Returns a few bytes that decompress to 100 MB of `fill`. */
export function bomb(encoding: Encoding, fill: string): Play {
	const body = encoders[encoding](Buffer.alloc(100 * mebibyte, fill));
	return says(body, {'content-encoding': encoding});
}
