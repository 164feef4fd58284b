import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {markCache} from '../../../src/worker/wires/cache-marks.ts';
import {toPrompt} from '../../../src/worker/wires/prompt.ts';
import type {ModelMessage} from '../../../src/worker/history/model.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {startServer} from '../../helpers/wire-servers/index.ts';
import {modelAt} from './wire-model.ts';

const mark = {type: 'ephemeral'};
const words = (text: string): ModelMessage => ({role: 'user', text});
const answer = (text: string): ModelMessage => ({role: 'assistant', parts: [{type: 'text', text}]});
const called: ModelMessage = {
	role: 'assistant',
	parts: ['c1', 'c2'].map(callId => ({type: 'tool_call', callId, name: 'read_file', arguments: '{}'})),
};
const results: ModelMessage = {
	role: 'tool',
	results: ['c1', 'c2'].map(callId => ({callId, name: 'read_file', content: `of ${callId}`, isError: false})),
};
const tools = [{name: 'read_file', description: 'Reads.', parameters: {type: 'object', properties: {}}}];

type Block = {readonly type: string; readonly cache_control?: unknown};
type Body = {
	readonly system: Block[];
	readonly tools: Block[];
	readonly messages: ReadonlyArray<{readonly role: string; readonly content: Block[]}>;
};

async function send(requests: ReadonlyArray<readonly ModelMessage[]>): Promise<Body[]> {
	await using server = await startServer(
		'anthropic',
		requests.map(() => [{type: 'text', text: 'Yes.'}]),
	);
	const model = await modelAt('anthropic', server);
	for (const messages of requests) await collect(model, ask(messages, {tools, prompt: 'Be brief.'}));
	expect(server.refusals).toEqual([]);
	return server.requests.map(({json}) => json as Body);
}

/** Returns the places of the marks, as `message.block`. */
function marksOf({system, tools: offered, messages}: Body): string[] {
	const places = messages.flatMap(({content}, message) =>
		content.map((block, index) => ({place: `${message}.${index}`, block})),
	);
	return [
		...system.map(block => ({place: 'system', block})),
		...offered.map(block => ({place: 'tools', block})),
		...places,
	]
		.filter(({block}) => block.cache_control !== undefined)
		.map(({place}) => place);
}

describe('the cache marks for Anthropic', () => {
	it('are at the system prompt and at the ends of the user’s last two turns', async () => {
		const [one, batch, steered] = await send([
			[words('file'), words('Explain.')],
			[words('file'), words('Explain.'), called, results],
			[words('file'), words('Explain.'), called, results, words('Wait.'), answer('Well.'), words('Go on.')],
		]);
		expect(marksOf(one!)).toEqual(['system', '0.1']);
		expect(marksOf(batch!)).toEqual(['system', '0.1', '2.1']);
		expect(marksOf(steered!)).toEqual(['system', '2.2', '4.0']);
		expect(one!.system).toEqual([{type: 'text', text: 'Be brief.', cache_control: mark}]);
	});

	it('are at the end of the previous request, so that all of it is cached', async () => {
		const turns = [words('One.'), answer('1'), words('Two.'), called, results, answer('2'), words('Three.')];
		const bodies = await send([turns.slice(0, 1), turns.slice(0, 3), turns.slice(0, 5), turns]);
		for (const [index, body] of bodies.slice(1).entries())
			expect(marksOf(body)).toContain(marksOf(bodies[index]!).at(-1));
	});

	it('are at most four, the same every time and never on an answer, for any conversation', () => {
		const message = fc.constantFrom(words('u'), answer('a'), called, results);
		fc.assert(
			fc.property(fc.array(message), fc.boolean(), (messages, withSystem) => {
				const request = ask(messages, {prompt: withSystem ? 's' : ''});
				const prompt = toPrompt(request, {dataKey: 'anthropic', mergeUser: false});
				const marked = markCache(prompt);
				expect(marked).toEqual(markCache(structuredClone(prompt)));
				const places = marked.filter(({isMarked}) => isMarked === true);
				expect(places.length).toBeLessThanOrEqual(4);
				expect(places.some(({role}) => role === 'assistant')).toBe(false);
				const unmarked = marked.map(message => ({...message, isMarked: undefined}));
				expect(unmarked).toEqual(prompt);
			}),
			{seed: 20_261_121},
		);
	});
});
