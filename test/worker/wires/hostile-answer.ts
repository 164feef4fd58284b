import {ask, collect, type Collected} from '../../helpers/collect.ts';
import {encoders, whole, type Encoding} from '../../helpers/wire-servers/hostile.ts';
import type {WireName} from '../../helpers/wire-servers/index.ts';
import {startRawServer, type Play} from '../../helpers/wire-servers/raw.ts';
import {modelAt} from './wire-model.ts';

export const hello = ask([{role: 'user', text: 'Hello.'}]);
export const mebibyte = 1024 * 1024;

type Answered = Collected & {readonly sentMegabytes: number};

/** Returns the answer to a request. An open connection or an unhandled error fails the test. */
export async function answered(
	wire: WireName,
	play: Play,
	{stall = 60_000, signal}: {readonly stall?: number; readonly signal?: AbortSignal} = {},
): Promise<Answered> {
	await using server = await startRawServer(play);
	const got = await collect(await modelAt(wire, server, {stallTimeoutMs: stall}), hello, signal);
	await server.allClosed();
	return {...got, sentMegabytes: server.sent() / mebibyte};
}

export const compressed = (encoding: Encoding, body = whole): Buffer => encoders[encoding](Buffer.from(body));
export const inChunk = (body: string) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`;
export const slow = '{"error":{"message":"slow"}}';
