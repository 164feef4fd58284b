import {describe, expect, it} from 'vitest';
import {loadModel} from '../../../src/worker/wires/load.ts';
import {collect} from '../../helpers/collect.ts';
import {says, text} from '../../helpers/wire-servers/hostile.ts';
import {wires} from '../../helpers/wire-servers/index.ts';
import {startRawServer, type Play} from '../../helpers/wire-servers/raw.ts';
import {answered, hello} from './hostile-answer.ts';
import {testKey} from './wire-model.ts';

const plays: ReadonlyArray<readonly [string, Play]> = [
	['no bytes', says('')],
	['a length of 0', says('', {'content-length': '0'})],
	['no chunks', says('0\r\n\r\n', {'transfer-encoding': 'chunked'})],
	['blank lines as JSON', says('\n\n', {'content-type': 'application/json'})],
	['comments only', says(': ping\n\n: ping\n\n')],
	['[DONE] only', says('data: [DONE]\n\n')],
];
const sentence = /^\S+ answered without content\. Check the base URL, and whether a proxy answers instead\.$/;

describe('an answer of status 200 without any event', () => {
	it.each(wires.flatMap(wire => plays.map(([name, play]) => [wire, name, play] as const)))(
		'has its own sentence, and is tried again, over the wire of %s with %s',
		async (wire, _name, play) => {
			const {error} = await answered(wire, play);
			expect(error).toMatchObject({reason: 'bad_response', retryable: true});
			expect(error?.message).toMatch(sentence);
		},
	);

	it('has its own sentence over the wire of Bedrock', async () => {
		const type = {'content-type': 'application/vnd.amazon.eventstream'};
		await using server = await startRawServer(says('', type));
		const model = await loadModel({provider: 'bedrock', model: 'm', apiKey: testKey, baseURL: server.url});
		const {error} = await collect(model, hello);
		expect(error).toMatchObject({reason: 'bad_response', retryable: true});
		expect(error?.message).toMatch(sentence);
	});

	it.each([
		['an event without content', text('')],
		['a part of an event', 'data: {"choices":[{"ind'],
	])('does not have this sentence after %s', async (_, body) => {
		const {error} = await answered('openai-compatible', says(body));
		expect(error).toMatchObject({reason: 'cut', retryable: true});
	});
});
