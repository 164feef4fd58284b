import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {AssistantPart, ModelMessage, ToolAnswer} from '../../../src/worker/history/model.ts';
import type {Answer, Step} from '../../../src/worker/wires/script.ts';
import {scriptedModel} from '../../../src/worker/wires/scripted.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {startServer, wires} from '../../helpers/wire-servers/index.ts';
import {bare, modelAt, throughJson} from './wire-model.ts';

const seed = 20_261_121;
const numRuns = process.env['INKPOD_TEST'] === 'long' ? 1000 : 25;

const words = fc
	.string({unit: 'grapheme', minLength: 1, maxLength: 40})
	.filter(text => text.trim() !== '' && text.isWellFormed());
const chunk = fc.integer({min: 1, max: 12});
const args = fc.oneof(
	fc.dictionary(fc.constantFrom('path', 'a b', 'ключ'), fc.oneof(words, fc.integer(), fc.boolean())),
	fc.constant({}),
);

const answer: fc.Arbitrary<Step[]> = fc
	.record({
		thought: fc.option(fc.record({type: fc.constant('reasoning' as const), text: words, chunk})),
		text: fc.option(fc.record({type: fc.constant('text' as const), text: words, chunk})),
		calls: fc.array(
			fc.record({
				type: fc.constant('tool_call' as const),
				name: fc.constantFrom('read_file', 'grep'),
				arguments: args,
				chunk,
			}),
			{maxLength: 3},
		),
	})
	.map(({thought, text, calls}) => [
		...(thought === null ? [] : [thought]),
		...(text === null ? [] : [text]),
		...calls,
	])
	.filter(steps => steps.some(({type}) => type !== 'reasoning'));

function follow(parts: readonly AssistantPart[]): ModelMessage[] {
	const results = parts.flatMap((part): ToolAnswer[] =>
		part.type === 'tool_call' ? [{callId: part.callId, name: part.name, content: 'ok', isError: false}] : [],
	);
	return [
		{role: 'assistant', parts},
		...(results.length > 0 ? [{role: 'tool', results} as const] : [{role: 'user', text: 'Go on.'} as const]),
	];
}

describe.each(wires)(`an answer over the %s wire (seed ${seed})`, wire => {
	it('has the same parts as the scripted model for any conversation, and nothing is refused', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(answer, {minLength: 1, maxLength: 4}), async (answers: Answer[]) => {
				await using server = await startServer(wire, answers);
				const wired = await modelAt(wire, server);
				const played = scriptedModel(answers);
				let messages: ModelMessage[] = [{role: 'user', text: 'Begin.'}];
				for (const _ of answers) {
					const request = ask(messages);
					const got = await collect(wired, request);
					const expected = await collect(played, request);
					expect(server.refusals).toEqual([]);
					expect(bare(got.parts)).toEqual(bare(expected.parts));
					expect(got.stop).toBe(expected.stop);
					messages = throughJson([...messages, ...follow(got.parts)]);
				}
			}),
			{seed, numRuns},
		);
	});
});
