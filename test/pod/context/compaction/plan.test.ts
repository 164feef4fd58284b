import {describe, expect, it} from 'vitest';
import {planCompaction} from '../../../../src/pod/context/compaction/plan.ts';
import type {Item} from '../../../../src/pod/protocol.ts';
import {createItems} from '../../../helpers/items.ts';

/** Counts each word as a token. */
const estimate = (text: string) => text.split(/\s+/).filter(word => word !== '').length;

function planned(items: readonly Item[], retainedTokens: number) {
	const plan = planCompaction(items, {retainedTokens, estimate});
	if (!plan.ok) return plan.reason;
	const name = (id: string) => items.find(item => item.id === id);
	return {
		firstKept: name(plan.firstKept),
		kept: plan.keptIds.map(name),
		summarised: plan.summarised,
		tokens: plan.tokens,
	};
}

const ten = 'a b c d e f g h i j';

describe('the retained tail', () => {
	it('is as long as fits, and begins with a message rather than with its attachments', () => {
		const make = createItems();
		const first = [make.user(ten), make.assistant(ten), make.request(), make.end()];
		const [words, file, answer] = [make.user('see'), make.file('a.ts', ten), make.assistant(ten)];
		const items = [make.setup(), ...first, words, file, answer, make.request(), make.end()];
		expect(planned(items, 30)).toMatchObject({firstKept: words, summarised: first.slice(0, 2), tokens: 20});
		expect(planned(items, 15)).toMatchObject({
			firstKept: answer,
			kept: [words],
			summarised: [...first.slice(0, 2), file],
		});
		expect(planned(items, 100)).toBe('nothing');
	});

	it('separates no call from its result, and no answer from its beginning', () => {
		const make = createItems();
		const answer = [
			make.reasoning('think'),
			make.assistant('look'),
			make.call('1', 'read_file', {}),
			make.call('2', 'read_file', {}),
		];
		const results = [make.result('2', '', ten), make.result('1', '', ten)];
		const said = make.assistant('Done.');
		const words = make.user('go');
		const items = [
			make.setup(),
			make.user(ten),
			make.assistant(ten),
			make.request(),
			make.end(),
			words,
			...answer,
			make.request('tool_calls'),
			...results,
			said,
			make.request(),
		];
		expect(planned(items, 12)).toMatchObject({firstKept: said});
		expect(planned(items.slice(0, -2), 4)).toMatchObject({firstKept: answer[0], kept: [words], tokens: 20});
	});

	it('contains at least the last exchange, whatever its length', () => {
		const make = createItems();
		const [old, last] = [make.user('old'), make.user(`${ten} ${ten}`)];
		expect(planned([make.setup(), old, make.assistant('ok'), make.request(), make.end(), last], 5)).toMatchObject({
			firstKept: last,
			summarised: [old, expect.anything()],
		});
		expect(planned([make.setup(), last], 5)).toBe('nothing');
	});
});

describe('the plan', () => {
	const turn = (make: ReturnType<typeof createItems>, ...between: Item[]): Item[] => [
		make.user(ten),
		...between,
		make.assistant(ten),
		make.request(),
		make.end(),
	];
	const invoke = (make: ReturnType<typeof createItems>, slug: string, n: string, body = slug) => [
		make.system(`[Workflow /${slug} requires Knowledge #k]\nk`, {
			kind: 'knowledge',
			slug: 'k',
			workflow: slug,
			invocation: n,
		}),
		make.system(`[Workflow /${slug}]\n${body}`, {kind: 'workflow', slug, invocation: n}),
	];

	it('keeps the last invocation of each workflow since the last compaction, and only one from before it', () => {
		const make = createItems();
		const [one, two, other] = [invoke(make, 'review', '1'), invoke(make, 'review', '2'), invoke(make, 'plan', '3')];
		const items = [
			make.setup(),
			...turn(make, ...one),
			...turn(make, ...two),
			...turn(make, ...other),
			...turn(make),
			...turn(make),
		];
		const plan = planCompaction(items, {retainedTokens: 20, estimate});
		expect(plan).toMatchObject({ok: true, keptIds: [...two, ...other].map(({id}) => id)});
		if (!plan.ok) return;
		const compaction = make.item('compaction', {
			summary: 's',
			firstKept: plan.firstKept,
			keptIds: [...plan.keptIds],
			refs: [],
			refused: [],
			before: 0,
			after: 0,
			model: 'm',
			usage: {},
		});
		expect(
			planCompaction([...items, compaction, ...turn(make), ...turn(make)], {retainedTokens: 20, estimate}),
		).toMatchObject({ok: true, keptIds: other.map(({id}) => id)});
	});

	it('keeps the last workflow when all together are too long', () => {
		const make = createItems();
		const [one, two] = [invoke(make, 'review', '1', `${ten} ${ten}`), invoke(make, 'plan', '2', `${ten} ${ten}`)];
		expect(
			planCompaction([make.setup(), ...turn(make, ...one), ...turn(make, ...two), ...turn(make)], {
				retainedTokens: 20,
				estimate,
			}),
		).toMatchObject({ok: true, keptIds: two.map(({id}) => id)});
	});

	it('keeps current instructions and pinned items, but no dropped items', () => {
		const make = createItems();
		const said = (file: string, text: string, gone = false) =>
			make.system(text, {
				kind: 'instructions',
				path: file,
				truncated: false,
				file: `/p/${file}`,
				...(gone && {gone}),
			});
		const [old, fresh, left, goneNow] = [
			said('AGENTS.md', 'old'),
			said('AGENTS.md', 'fresh'),
			said('b/AGENTS.md', 'b'),
			said('b/AGENTS.md', 'gone', true),
		];
		const [pinned, dropped] = [make.file('pinned.ts', 'x'), make.file('dropped.ts', 'x')];
		const items = [
			make.setup(),
			old,
			...turn(make, left, pinned, dropped),
			fresh,
			goneNow,
			...turn(make),
			...turn(make),
			make.item('context', {op: 'pin', ids: [pinned.id]}),
			make.item('context', {op: 'drop', ids: [dropped.id]}),
		];
		const plan = planned(items, 20);
		expect(plan).toMatchObject({kept: [pinned, fresh]});
		expect(typeof plan === 'object' && plan.summarised.includes(dropped)).toBe(false);
	});
});
