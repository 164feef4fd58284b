import {describe, expect, it} from 'vitest';
import {ledgerOf} from '../../../../src/pod/context/ledger/ledger.ts';
import {dialectNames, requestBody} from '../../../../src/worker/index.ts';
import {context} from '../../../../src/pod/ground/history/reader.ts';
import {createItems} from '../../../helpers/items.ts';

const models: ReadonlyArray<readonly [string, Record<string, string | number | boolean>]> = [
	['anthropic/claude-sonnet-5', {rules: 2}],
	['openai/gpt-5.2', {rules: 2}],
	['azure/deployment', {rules: 2}],
	['google/gemini-3-pro', {rules: 2}],
	['google/gemma-3', {rules: 2}],
	['vertex/gemma-3', {rules: 2}],
	['openai-compatible/local', {}],
	['openai-compatible/local', {mergeUser: true}],
	['openai-compatible/local', {rules: 2, mergeUser: false}],
	...dialectNames.map(
		dialect => ['openai-compatible/local', {rules: 2, wire: 'openai-compatible', dialect}] as const,
	),
];

describe('the sum of the ledger', () => {
	it.each(models)('is that of the texts that %s gets with %o', async (model, settings) => {
		const make = createItems();
		const items = [
			{...make.setup(), model, settings, tools: [], prompt: 'You answer.'},
			make.file('a.md', 'a\n'),
			make.file('b.md', '„ß 👍'),
			make.user('Read them.'),
			make.user('Well?'),
			make.assistant('I did.'),
			make.call('c1', 'read_file', {}),
			make.request('tool_calls'),
			make.result('c1', 's', 'content'),
			make.user('Stop.'),
			make.user('Go on.'),
		];
		const made = await requestBody(model, context(items));
		if (!made.ok) throw new Error(made.sentence);
		const {bytes} = ledgerOf(items, {estimate: () => 0});
		expect(bytes).toBe(textsIn(JSON.parse(made.body)).reduce((sum, text) => sum + Buffer.byteLength(text), 0));
	});
});

/** Returns the texts of a body: prompt, messages, and names, arguments and outputs of calls. */
function textsIn(value: unknown, key = ''): readonly string[] {
	if (Array.isArray(value)) return value.flatMap(each => textsIn(each, key));
	if (typeof value === 'string') return textKeys.has(key) ? [value] : [];
	if (typeof value !== 'object' || value === null) return [];
	if (argumentKeys.has(key) && Object.keys(value).length === 0) return ['{}'];
	if ('functionResponse' in value) {
		const {response} = value.functionResponse as {response: {content: string}};
		return [response.content];
	}
	return Object.entries(value).flatMap(([name, each]) =>
		textsIn(each, name === 'input' && Array.isArray(each) ? '' : name),
	);
}

const textKeys: ReadonlySet<string> = new Set([
	'content',
	'text',
	'instructions',
	'system',
	'name',
	'arguments',
	'output',
]);
const argumentKeys: ReadonlySet<string> = new Set(['input', 'args']);
