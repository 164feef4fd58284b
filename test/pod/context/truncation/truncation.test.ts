import {describe, expect, it} from 'vitest';
import {lastTruncation, openTruncation} from '../../../../src/pod/context/truncation/truncation.ts';
import type {Projection} from '../../../../src/pod/ground/counts/context-sum.ts';
import {estimateRequest} from '../../../../src/pod/ground/counts/usage.ts';
import type {Item, Usage} from '../../../../src/pod/protocol.ts';
import {createItems, type ItemMaker} from '../../../helpers/items.ts';

const whole: Projection = items => items;
const text = (tokens: number) => 'A line of a file. '.repeat(Math.ceil(tokens / 5));

/** Adds a request and its answer. The server counts `share` of the estimate. */
function answered(make: ItemMaker, items: Item[], share: number, more: Usage = {}, said = 'Nothing.'): Item[] {
	const request = make.sent();
	const input = Math.round(share * estimateRequest(items, whole));
	items.push(request, make.assistant(said), make.answered(request, 'end', {input, output: 50, ...more}));
	return items;
}

function begun(make: ItemMaker, tokens = 4000): Item[] {
	return [make.setup(), make.user(text(tokens))];
}

describe('lastTruncation', () => {
	it('finds a count below half of the estimate', () => {
		const make = createItems();
		const items = answered(make, begun(make), 0.45);
		const request = items.find(({type}) => type === 'request')!;
		expect(lastTruncation(items, whole)).toMatchObject({request: request.id});
		expect(lastTruncation(answered(make, begun(make), 0.55), whole)).toBeUndefined();
	});

	it('finds nothing without a count, with a tiny one, or for the built-in models', () => {
		const make = createItems();
		expect(lastTruncation(answered(make, begun(make), 0.4, {input: undefined}), whole)).toBeUndefined();
		expect(lastTruncation(answered(make, begun(make), 0, {input: 10}), whole)).toBeUndefined();
		const scripted = answered(make, begun(make), 0.4).map(item =>
			item.type === 'request' ? {...item, model: 'scripted:a.json'} : item,
		);
		expect(lastTruncation(scripted, whole)).toBeUndefined();
		expect(lastTruncation([], whole)).toBeUndefined();
	});

	it('counts cached tokens as read, even if the input does not include them', () => {
		const make = createItems();
		expect(lastTruncation(answered(make, begun(make), 0.1, {cacheRead: 3600}), whole)).toBeUndefined();
	});

	it('finds a count that is lower than before although the context only grew', () => {
		const make = createItems();
		const items = answered(make, begun(make), 1);
		items.push(make.user('And?'));
		expect(lastTruncation(answered(make, items, 0.9), whole)).toBeDefined();
	});

	it('finds a count that does not grow with the context', () => {
		const make = createItems();
		const items = answered(make, begun(make), 1);
		items.push(make.user(text(1000)));
		expect(lastTruncation(answered(make, items, 0.82), whole)).toBeDefined();
	});

	it.each([
		['setup', (make: ItemMaker) => make.setup()],
		['rewind', (make: ItemMaker) => make.item('rewind', {to: 'i2'})],
		['compaction', (make: ItemMaker) => make.compaction('Short.')],
		['drop', (make: ItemMaker) => make.item('context', {op: 'drop', ids: ['i2']})],
		['prune', (make: ItemMaker) => make.item('context', {op: 'prune', ids: ['i2']})],
	])('does not compare with a count before a %s', (_, change) => {
		const make = createItems();
		const items = answered(make, begun(make), 1);
		items.push(change(make), make.user('And?'));
		expect(lastTruncation(answered(make, items, 0.7), whole)).toBeUndefined();
	});

	it('does not compare with a count whose answer began before the context changed', () => {
		const make = createItems();
		const items = begun(make);
		const input = estimateRequest(items, whole);
		const request = make.sent();
		const drop = make.item('context', {op: 'drop', ids: ['i2']});
		items.push(request, drop, make.assistant('Nothing.'), make.answered(request, 'end', {input, output: 50}));
		items.push(make.user('And?'));
		expect(lastTruncation(answered(make, items, 0.7), whole)).toBeUndefined();
	});

	it('does not expect thoughts to be sent again', () => {
		const make = createItems();
		const items = answered(make, begun(make), 1);
		items.push(make.reasoning(text(2000)), make.user('And?'));
		const later = answered(make, items, 0.9);
		later.push(make.user('So?'));
		expect(lastTruncation(answered(make, later, 0.7), whole)).toBeUndefined();
	});

	it('does not compare the counts of OpenRouter, where the tokenizer may change', () => {
		const make = createItems();
		const items = [{...make.setup(), model: 'openrouter/openrouter/auto'}, make.user(text(4000))];
		const later = answered(make, [...answered(make, items, 1), make.user('And?')], 0.7);
		expect(lastTruncation(later, whole)).toBeUndefined();
	});
});

describe('openTruncation', () => {
	const noticed = (make: ItemMaker, items: Item[]): Item[] => {
		const {request} = lastTruncation(items, whole)!;
		return [...items, make.system('Dropped.', {kind: 'notice', about: 'truncated', request})];
	};

	it('is the last notice, until a request is read completely or the context changes', () => {
		const make = createItems();
		const items = noticed(make, answered(make, begun(make), 0.4));
		expect(openTruncation([...items, make.user('And?')])).toMatchObject({text: 'Dropped.'});
		expect(openTruncation(answered(make, [...items], 1))).toBeUndefined();
		expect(openTruncation([...items, make.compaction('Short.')])).toBeUndefined();
		expect(openTruncation([...items, make.setup()])).toBeUndefined();
	});
});
