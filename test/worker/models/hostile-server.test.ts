import {describe, expect, it} from 'vitest';
import {ask, collect, type Collected} from '../../helpers/collect.ts';
import {wires, type WireName} from '../../helpers/wire-servers/index.ts';
import {flood, head, startRawServer, type Play} from '../../helpers/wire-servers/raw.ts';
import {modelAt} from './wire-model.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);

/** What comes of an answer. Fails when anything went unhandled, or when the connection stays open. */
async function answered(wire: WireName, play: Play): Promise<Collected> {
	await using server = await startRawServer(play);
	const got = await collect(await modelAt(wire, server), hello);
	await server.allClosed();
	return got;
}

describe('an answer encoded 20 times', () => {
	it.each(wires)('ends as an error of %s, and nothing is left unhandled', async wire => {
		const {error} = await answered(wire, async socket => {
			socket.write(head({'content-encoding': Array.from({length: 20}, () => 'gzip').join(', ')}));
			await flood(socket, Buffer.alloc(65_536), 1000);
		});
		expect(error).toMatchObject({reason: 'bad_response', retryable: false});
	});
});
