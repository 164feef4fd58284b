import {describe, expect, it} from 'vitest';
import {composeRequest} from '../../../src/worker/history/context.ts';
import {originRules} from '../../../src/pod/ground/history/reader.ts';
import {createItems} from '../../helpers/items.ts';

describe('a request to a model without tools', () => {
	const make = createItems();
	const setup = {...make.setup(), tools: [], settings: {tools: false, rules: 2}};
	const call = make.call('c', 'read_file', {path: 'a'});
	const thought = make.reasoning('Hm.');
	const items = [
		setup,
		make.user('Go'),
		thought,
		make.assistant('Let me look.'),
		call,
		make.sent(),
		make.result('c', 'gone', 'no such file', true),
		make.assistant('It is gone.'),
		make.user('Thanks'),
	];

	it('contains calls and results as texts, each from its item', () => {
		const {request, sources, rewrites} = composeRequest(items, originRules);
		expect(request.messages).toEqual([
			{role: 'user', text: 'Go'},
			{
				role: 'assistant',
				parts: [
					{type: 'text', text: 'Let me look.'},
					{type: 'text', text: '[Tool call: read_file]\n{"path":"a"}'},
				],
			},
			{role: 'user', text: '[Error of read_file]\nno such file'},
			{role: 'assistant', parts: [{type: 'text', text: 'It is gone.'}]},
			{role: 'user', text: 'Thanks'},
		]);
		expect(sources().get(request.messages[2]!)).toMatchObject({type: 'tool_result'});
		expect(rewrites(undefined)).toEqual([
			{rule: 'unsent_thought', where: [thought.id]},
			{rule: 'call_as_text', where: [call.id, items[6]!.id]},
		]);
	});

	it('is the usual one if there are no calls', () => {
		const {request} = composeRequest([setup, make.user('Go')], originRules);
		expect(request.messages).toEqual([{role: 'user', text: 'Go'}]);
	});
});
