import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Projection} from '../../../../src/pod/ground/counts/context-sum.ts';
import {estimateItem, estimateRequest} from '../../../../src/pod/ground/counts/estimate.ts';
import {contextSize, countKind, requestSize} from '../../../../src/pod/ground/counts/usage.ts';
import {answerEnd, type Item, type Usage} from '../../../../src/pod/protocol.ts';
import {createItems, type ItemMaker} from '../../../helpers/items.ts';

const whole: Projection = items => items;
const size = (items: readonly Item[]) => contextSize(items, whole);

function requested(items: ItemMaker, usage: Usage, stop: 'end' | 'tool_calls' | 'aborted' = 'end'): Item {
	return {...items.request(stop), usage};
}

/** Appends a turn. The provider counts its request `times` as high as inkpod's estimate. */
function asked(items: ItemMaker, times: number, usage: Usage = {output: 50}): Item[] {
	const sent = [items.setup(), items.user('What stands in the file that I have attached here?')];
	return [
		...sent,
		items.assistant('Nothing of note.'),
		requested(items, {...usage, input: Math.round(times * estimateRequest(sent, whole))}),
	];
}

describe('contextSize', () => {
	it('is unknown before there is anything to send', () => {
		expect(size([])).toBeUndefined();
	});

	it("is exactly the provider's count right after an answer, including cached tokens and the answer", () => {
		const items = createItems();
		const history = [
			items.setup(),
			items.user('Hello'),
			items.reasoning('Hm.'),
			items.assistant('Hi.'),
			requested(items, {input: 12_000, cacheRead: 11_000, cacheWrite: 500, output: 300, reasoning: 200}),
		];
		expect(size(history)).toEqual({tokens: 12_300, exact: true});
		expect(size([...history, items.end()])).toEqual({tokens: 12_300, exact: true});
	});

	it.each([
		[0.8, 0.8],
		[1, 1],
		[2, 2],
		[3.9, 3.9],
		[9, 1],
		[0.1, 1],
	])('scales later items: a count of %s times our estimate gives a factor of %s', (times, scale) => {
		const items = createItems();
		const history = asked(items, times);
		const result = items.result('c', 'read', 'A line of a file that was read.\n'.repeat(200));
		const {tokens, exact} = size([...history, result])!;
		const base = size(history)!.tokens;
		expect(exact).toBe(false);
		expect((tokens - base) / estimateItem(result)).toBeCloseTo(scale, 1);
	});

	it('estimates an answer whose tokens were not reported', () => {
		const items = createItems();
		const history = asked(items, 1, {});
		const {tokens, exact} = size(history)!;
		expect(exact).toBe(false);
		expect(tokens).toBeGreaterThan(
			history.at(-1)!.type === 'request' ? (history.at(-1) as {usage: Usage}).usage.input! : 0,
		);
	});

	it('continues from the last counted request', () => {
		const items = createItems();
		const history = asked(items, 1);
		const later = [items.user('And now?'), items.assistant('Well', 'aborted'), requested(items, {}, 'aborted')];
		const {tokens, exact} = size([...history, ...later])!;
		expect(exact).toBe(false);
		expect(tokens - size(history)!.tokens).toBeCloseTo(estimateItem(later[0]!) + estimateItem(later[1]!), -1);
	});

	it.each(['setup', 'compaction', 'rewind', 'drop'] as const)(
		'estimates everything after a %s, scaled by the last count',
		what => {
			const items = createItems();
			const history = [...asked(items, 2), items.end()];
			const changes = {
				setup: () => ({...items.setup(), prompt: 'You are another.'}),
				compaction: () => items.compaction('What was said so far.'),
				rewind: () => items.item('rewind', {to: history[1]!.id}),
				drop: () => items.item('context', {op: 'drop', ids: [history[1]!.id]}),
			};
			const changed: Item[] = [...history, changes[what]()];
			const project: Projection = all => (all.length > history.length ? [all[0]!, all.at(-1)!] : all);
			const {tokens, exact} = contextSize(changed, project)!;
			expect(exact).toBe(false);
			expect(tokens / estimateRequest(changed, project)).toBeCloseTo(2, 1);
		},
	);

	it('counts an image by its size, but not for a model that does not read it', () => {
		const items = createItems();
		const of = (width: number, settings: Record<string, unknown>) => {
			const facts = {path: 'a', mime: 'image/png', bytes: 900, width, height: 750, sha256: 'a'.repeat(64)};
			const image = items.item('message', {
				role: 'system',
				text: '[Image: a]',
				origin: {kind: 'image', ...facts},
			});
			return size([{...items.setup(), settings}, items.user('Look.'), image])?.tokens ?? 0;
		};
		expect(of(1000, {}) - of(500, {})).toBe(500);
		expect(of(9000, {}) - of(1000, {input: []})).toBe(1600);
		expect(of(1000, {input: ['image']})).toBe(of(1000, {}));
	});

	it('does not change after a pin', () => {
		const items = createItems();
		const history = asked(items, 1);
		expect(size([...history, items.item('context', {op: 'pin', ids: [history[1]!.id]})])).toEqual(size(history));
	});

	it('is a stable whole number for any history, and exact only if nothing was added after a count', () => {
		const items = createItems();
		const any = fc.constantFrom<() => Item>(
			() => items.user('Words of a person.'),
			() => items.assistant('Words of a model.'),
			() => items.call('c', 'f', {a: 1}),
			() => items.result('c', 'r', 'content'),
			() => items.setup(),
			() => items.end(),
			() => requested(items, {input: 100, output: 10}),
			() => requested(items, {}),
			() => items.compaction('All.'),
		);
		fc.assert(
			fc.property(fc.array(any, {maxLength: 30}), makers => {
				const history = [items.setup(), ...makers.map(make => make())];
				const {tokens, exact} = size(history)!;
				expect(Number.isSafeInteger(tokens) && tokens > 0).toBe(true);
				expect(size(structuredClone(history))).toEqual({tokens, exact});
				const last = history.findLastIndex(item => answerEnd(item)?.usage.input !== undefined);
				expect(exact).toBe(
					last !== -1 && history.slice(last + 1).every(({type}) => type === 'request' || type === 'run_end'),
				);
			}),
			{seed: 20_261_121},
		);
	});
});

/** Six requests, each with a message of about 500 tokens before it, counted by the function. */
function grown(count: (estimate: number, added: number, n: number) => Usage): Item[] {
	const items = createItems();
	const history: Item[] = [items.setup()];
	for (let n = 0; n < 6; n++) {
		const before = n === 0 ? 0 : estimateRequest(history, whole);
		history.push(items.user('The words of a line that says something. '.repeat(50)));
		const estimate = estimateRequest(history, whole);
		history.push(items.assistant('Well.'), requested(items, count(estimate, estimate - before, n)));
	}
	return history;
}

describe('countKind', () => {
	it.each<[ReturnType<typeof countKind>, string, Parameters<typeof grown>[0]]>([
		['whole', 'of whole prompts', input => ({input, output: 5})],
		['whole', 'with cached tokens that the input leaves out', (all, input) => ({input, cacheRead: all - input})],
		['whole', 'without input', () => ({output: 5})],
		['whole', 'of zero', () => ({input: 0, output: 5})],
		['uncached', 'that leave out what was cached', (_, input) => ({input, output: 5})],
		['uncached', 'that leave it out, but for one', (all, input, n) => ({input: n === 4 ? all : input, output: 5})],
	])('is %s for counts %s', (kind, _, count) => {
		expect(countKind(grown(count))).toBe(kind);
	});

	it('is what the user says, and the answer in the history comes first', () => {
		const history = grown((_, input) => ({input, output: 5}));
		expect(countKind(history, 'whole')).toBe('whole');
		expect(
			countKind(
				grown(input => ({input, output: 5})),
				'uncached',
			),
		).toBe('uncached');
		expect(countKind(history, 'ignore')).toBe('estimate');
		const {model} = createItems().setup();
		const origin = {kind: 'notice', about: 'counts', model, answer: 'ignore', sent: false};
		expect(countKind([...history, createItems().system('Ignored.', origin)], 'whole')).toBe('estimate');
	});
});

describe('the size of a request', () => {
	it('is an estimate if the server counts only what it had not cached', () => {
		const history = grown((_, input) => ({input, output: 5}));
		const {tokens, exact} = size(history)!;
		expect(exact).toBe(false);
		expect(tokens / estimateRequest(history, whole)).toBeCloseTo(1, 1);
	});

	it('includes cached tokens that the input leaves out', () => {
		const items = createItems();
		const usage = {input: 20, cacheRead: 9000, output: 5};
		expect(size([items.setup(), items.user('Hello'), requested(items, usage)])).toEqual({
			tokens: 9025,
			exact: true,
		});
	});

	it('is missing without a count, and a count of zero is missing', () => {
		const items = createItems();
		const history = [items.setup(), items.user('Hello'), requested(items, {input: 0, output: 5})];
		expect(size(history)).toMatchObject({exact: false});
		expect(size(history)!.tokens).toBe(estimateRequest(history, whole));
	});

	it('is for decisions at least the calibrated estimate', () => {
		const small = grown(() => ({input: 62, output: 30}));
		expect(size(small)).toEqual({tokens: 92, exact: true});
		expect(requestSize(small, whole)).toBe(estimateRequest(small, whole));
		const double = grown(all => ({input: 2 * all, output: 5}));
		expect(requestSize(double, whole) / (2 * estimateRequest(double, whole))).toBeCloseTo(1, 1);
	});

	it('is calibrated by the growth of counts that leave out the system prompt', () => {
		const history = grown((_, added, n) => ({input: (n + 1) * added, output: 5}));
		const setup = {...history[0]!, prompt: 'You are helpful and say what you know. '.repeat(400)} as Item;
		const all = [setup, ...history.slice(1)];
		expect(requestSize(all, whole) / estimateRequest(all, whole)).toBeGreaterThan(0.8);
	});

	it('does not include notices that are only for the user', () => {
		const items = createItems();
		const notice = items.system('Only for you. '.repeat(100), {kind: 'notice', about: 'truncated', sent: false});
		expect(estimateItem(notice)).toBe(0);
	});
});
