import {describe, expect, it} from 'vitest';
import {lastTruncation} from '../../../../src/pod/context/truncation/truncation.ts';
import type {Projection} from '../../../../src/pod/ground/counts/context-sum.ts';
import {estimateRequest} from '../../../../src/pod/ground/counts/estimate.ts';
import type {Item, Usage} from '../../../../src/pod/protocol.ts';
import {createItems, type ItemMaker} from '../../../helpers/items.ts';

const whole: Projection = items => items;
const text = (tokens: number) => 'A line of a file. '.repeat(Math.ceil(tokens / 5));

/** Adds a request and its answer. The server counts `input`, or as much as inkpod estimates. */
function answered(make: ItemMaker, items: Item[], input = estimateRequest(items, whole), more: Usage = {}): Item[] {
	const request = make.sent();
	const usage = {input, output: 50, ...more};
	return [...items, request, make.assistant('Nothing.'), make.answered(request, 'end', usage)];
}

function setupOf(make: ItemMaker, model = 'ollama/qwen3', settings = {}): Item {
	return {...make.setup(), model, settings};
}

/** A request of about 4,000 tokens that the server counted, and a message of about 1,000 tokens. */
function begun(make: ItemMaker, ...setup: ReadonlyArray<string | object>): Item[] {
	const [model, settings] = setup as [string?, object?];
	const items = answered(make, [setupOf(make, model, settings), make.user(text(4000))], 4000);
	return [...items, make.user(text(1000))];
}

describe('lastTruncation', () => {
	it('finds a count that equals an earlier one, although more than 5 % was added', () => {
		const make = createItems();
		const items = answered(make, begun(make), 4000);
		const request = items.findLast(({type}) => type === 'request')!;
		const found = lastTruncation(items, whole);
		expect(found).toMatchObject({request: request.id, read: 4000});
		expect(found!.of / 5000).toBeCloseTo(1, 1);
	});

	it('finds it within 1 %, and while later counts do not grow', () => {
		const make = createItems();
		const first = answered(make, begun(make), 4035);
		expect(lastTruncation(first, whole)).toBeDefined();
		const second = answered(make, [...first, make.user('And?')], 3990);
		expect(lastTruncation(second, whole)).toMatchObject({read: 3990});
		expect(lastTruncation(answered(make, [...second, make.user('So?')], 5200), whole)).toBeUndefined();
	});

	it.each([4100, 4600, 3600, 1000])('finds nothing in a count of %i after one of 4,000', count => {
		const make = createItems();
		expect(lastTruncation(answered(make, begun(make), count), whole)).toBeUndefined();
	});

	it('finds nothing by the estimate alone, without a count, or with a tiny one', () => {
		const make = createItems();
		const once = [setupOf(make), make.user(text(8000))];
		expect(lastTruncation(answered(make, once, 3000), whole)).toBeUndefined();
		expect(lastTruncation(answered(make, begun(make), undefined, {input: undefined}), whole)).toBeUndefined();
		expect(lastTruncation(answered(make, answered(make, once, 60), 60), whole)).toBeUndefined();
		expect(lastTruncation([], whole)).toBeUndefined();
	});

	it.each<[string, object]>([
		['anthropic/claude', {}],
		['openai/gpt', {}],
		['google/gemini', {}],
		['azure/gpt', {}],
		['bedrock/claude', {}],
		['vertex/gemini', {}],
		['deepseek/deepseek-chat', {}],
		['openrouter/openrouter/auto', {}],
		['work/qwen', {wire: 'openai-compatible', dialect: 'qwen'}],
		['scripted:a.json', {}],
		['offline', {}],
	])('never suspects %s', (model, settings) => {
		const make = createItems();
		expect(lastTruncation(answered(make, begun(make, model, settings), 4000), whole)).toBeUndefined();
	});

	it.each<[string, object]>([
		['lmstudio/q', {}],
		['llama.cpp/q', {}],
		['vllm/q', {}],
		['openai-compatible/q', {}],
		['work/q', {wire: 'openai-compatible'}],
		['work/q', {wire: 'openai-compatible', dialect: 'strict'}],
	])('suspects %s with the settings %j', (model, settings) => {
		const make = createItems();
		expect(lastTruncation(answered(make, begun(make, model, settings), 4000), whole)).toBeDefined();
	});

	it('finds a full window, but no plateau far below it', () => {
		const make = createItems();
		const full = answered(make, [setupOf(make), make.user(text(8000))], 4050);
		expect(lastTruncation(full, whole, {window: 4096})).toMatchObject({read: 4050});
		expect(lastTruncation(full, whole, {window: 32_000})).toBeUndefined();
		expect(lastTruncation(answered(make, begun(make), 4000), whole, {window: 32_000})).toBeUndefined();
	});

	it('finds nothing if the user says that the counts are not comparable', () => {
		const make = createItems();
		const items = answered(make, begun(make), 4000);
		expect(lastTruncation(items, whole, {counts: 'ignore'})).toBeUndefined();
		expect(lastTruncation(items, whole, {counts: 'uncached'})).toBeUndefined();
		const origin = {kind: 'notice', about: 'counts', model: 'ollama/qwen3', answer: 'ignore'};
		expect(lastTruncation([...items, make.system('Ignored.', origin)], whole)).toBeUndefined();
	});

	it('does not expect the outputs of tools from a server that never counted one', () => {
		const make = createItems();
		const items = answered(make, [setupOf(make), make.user(text(4000))], 4000);
		const read = [make.call('c', 'read', {}), make.result('c', 'read', text(1000))];
		expect(lastTruncation(answered(make, [...items, ...read], 4012), whole)).toBeUndefined();
		expect(lastTruncation(answered(make, [...items, ...read], 4000), whole)).toBeDefined();
	});

	it.each([
		['setup', (make: ItemMaker) => setupOf(make)],
		['rewind', (make: ItemMaker) => make.item('rewind', {to: 'i2'})],
		['compaction', (make: ItemMaker) => make.compaction('Short.')],
		['drop', (make: ItemMaker) => make.item('context', {op: 'drop', ids: ['i2']})],
		['prune', (make: ItemMaker) => make.item('context', {op: 'prune', ids: ['i2']})],
	])('does not compare with a count before a %s', (_, change) => {
		const make = createItems();
		const items = [...begun(make), change(make), make.user('And?')];
		expect(lastTruncation(answered(make, items, 4000), whole)).toBeUndefined();
	});

	it('does not expect thoughts to be sent again', () => {
		const make = createItems();
		const [setup, ...rest] = begun(make).slice(0, -1);
		const items = [setup!, ...rest, make.reasoning(text(2000)), make.user('And?')];
		expect(lastTruncation(answered(make, items, 4010), whole)).toBeUndefined();
	});
});
