import {describe, expect, it} from 'vitest';
import {refusesForm} from '../../../../src/worker/wires/errors/rules.ts';
import {dialectNames} from '../../../../src/worker/wires/dialects.ts';
import {chatServers} from '../../../helpers/wire-servers/chat/chat-server.ts';

/** What the strict servers say. Kimi, DeepSeek and others have a dialect, which sends their thoughts. */
const wordings = dialectNames.flatMap(name => {
	const {unknownField, parts, callIds, order} = chatServers[name].refuses;
	const all = [
		unknownField(1, 'reasoning_content'),
		parts?.(2),
		callIds?.words('call:1'),
		order?.words('user', 'tool'),
	];
	return all.flatMap(words => (words === undefined ? [] : [[name, words] as const]));
});

const others = [
	'Extra inputs are not permitted',
	'Unrecognized request argument supplied: reasoning_content',
	'Invalid JSON payload received. Unknown name "extra_content" at \'messages[1]\': Cannot find field.',
	'json: unknown field "reasoning_content"',
	'Tool call IDs should be alphanumeric strings with length 9!',
	"Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40",
	'System message must be at the beginning.',
	'Last message must have role `user` or `tool`.',
];

describe('the refusal of a form', () => {
	it.each([...wordings, ...others.map(words => ['another server', words] as const)])(
		'is recognised in the words of %s: %s',
		(_, words) => {
			for (const status of [400, 422, 500, undefined]) expect(refusesForm({status, words})).toBe(true);
			for (const status of [401, 404, 429, 503]) expect(refusesForm({status, words})).toBe(false);
		},
	);

	it.each([
		'Invalid API key',
		'prompt is too long: 210000 tokens > 200000 maximum',
		'The model does not support tools',
		'Internal server error',
		'messages: at least one message is required',
		'Your role does not permit this; unexpected user',
		'max_tokens must be at most 4096',
		'bad tool schema',
	])('is not recognised in "%s"', words => {
		expect(refusesForm({status: 400, words})).toBe(false);
	});
});
