import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Item, ModelMessage} from '../../../src/worker/index.ts';
import {project} from '../../../src/worker/history/projection.ts';
import {
	closingResults,
	composeRequest,
	context,
	contextPieces,
	interruption,
	originRules,
	resumableCalls,
	unansweredCalls,
} from '../../../src/pod/ground/history/reader.ts';
import {anyHistory, drafts, randomHistory} from '../../helpers/random-history.ts';
import {refusePairs} from '../../helpers/random-session.ts';

const {clock, setup, user, file, says, thinks, call, result, request, end, compaction, rewind, change, again, turn} =
	drafts();

const sent = (...items: Item[]) => context([setup, ...items]).messages;
/** Returns the texts of a request. */
const words = (...items: Item[]) =>
	sent(...items).map(message =>
		message.role === 'user'
			? message.text
			: message.role === 'tool'
				? message.results.map(({content}) => content).join()
				: message.parts.map(part => (part.type === 'tool_call' ? `call ${part.callId}` : part.text)).join(),
	);
const gap = '[A part of the conversation was left out here.]';
const summary = (text = 'So far.') => `[Summary of the conversation until here]\n${text}`;

describe('a rewind', () => {
	const [one, two, three] = [turn('one'), turn('two'), turn('three')];
	const back = rewind(one.at(-1)!.id);

	it('removes everything after its item from the context', () => {
		expect(words(...one, ...two, ...three, back, ...turn('other'))).toEqual(['one?', 'one.', 'other?', 'other.']);
	});

	it('has no effect once it is undone, and later messages stay', () => {
		const other = turn('other');
		expect(words(...one, ...two, back, ...other, change('restore', back.id))).toEqual([
			'one?',
			'one.',
			'two?',
			'two.',
			'other?',
			'other.',
		]);
	});

	it('goes back to an item that an earlier rewind removed', () => {
		expect(words(...one, ...two, back, ...three, rewind(two.at(-1)!.id))).toEqual(['one?', 'one.', 'two?', 'two.']);
	});

	it('has no effect when no earlier item has its id', () => {
		expect(words(...one, rewind('nowhere'), rewind(two[0]!.id), ...two)).toEqual(['one?', 'one.', 'two?', 'two.']);
	});

	it('closes an interrupted turn, and opens it again when it is undone', () => {
		const open = [...one, user('two?'), call('a'), request(), end('paused')];
		expect([interruption(open), resumableCalls(open).length]).toEqual(['paused', 1]);
		expect([
			interruption([...open, back]),
			resumableCalls([...open, back]),
			closingResults([...open, back], '', clock),
		]).toEqual([undefined, [], []]);
		const undone = [...open, back, change('restore', back.id)];
		expect([interruption(undone), resumableCalls(undone).length]).toEqual(['paused', 1]);
		expect(interruption([...open.slice(0, -1), back])).toBeUndefined();
	});

	it('leaves a call unanswered when it removes the result', () => {
		const [asked, first] = [call('a'), result('a', 'first')];
		const rewound = [user('u'), asked, request(), first, rewind(asked.id)];
		expect(unansweredCalls(rewound)).toEqual([asked]);
		expect(words(...rewound, result('a', 'second'))).toEqual(['u', 'call a', 'second']);
	});
});

describe('a compaction', () => {
	const [one, two, three] = [turn('one'), turn('two'), turn('three')];

	it('comes before its kept items, the files that it re-read, and the retained items', () => {
		const knowledge = file('knowledge');
		const it = compaction(two[0]!.id, {keptIds: [knowledge.id]});
		expect(words(...one, knowledge, ...two, it, again(it, 'a.ts'), again(it, 'b.ts'), ...three)).toEqual([
			summary(),
			'knowledge',
			'a.ts',
			'b.ts',
			'two?',
			'two.',
			'three?',
			'three.',
		]);
		expect(project([...one, knowledge, ...two, it], originRules).summarised).toBe(2);
	});

	it('keeps pinned items and their partners, whenever they were pinned', () => {
		const [asked, answer] = [call('a'), result('a')];
		const it = compaction(two[0]!.id);
		for (const pin of [
			[change('pin', asked.id), it],
			[it, change('pin', answer.id)],
		]) {
			expect(words(...one, thinks('t'), asked, request(), answer, ...two, ...pin)).toEqual([
				summary(),
				't,call a',
				'of a',
				'two?',
				'two.',
			]);
		}
	});

	it('keeps a call, its result and their thought when it cuts between them', () => {
		const late = result('b');
		expect(
			words(user('u'), thinks('t'), call('a'), call('b'), request(), result('a'), late, compaction(late.id)),
		).toEqual([summary(), 't,call b', 'of b']);
	});

	it('summarises an earlier compaction and the files that it had re-read', () => {
		const first = compaction(two[0]!.id, {summary: 'First.'});
		const second = compaction(two[2]!.id, {summary: 'Second.'});
		expect(words(...one, ...two, first, again(first, 'a.ts'), ...three, second, again(second, 'b.ts'))).toEqual([
			summary('Second.'),
			'b.ts',
			'three?',
			'three.',
		]);
		const undone = [
			...one,
			...two,
			first,
			again(first, 'a.ts'),
			...three,
			second,
			again(second, 'b.ts'),
			...turn('four'),
			change('restore', second.id),
		];
		expect(words(...undone)).toEqual([
			summary('First.'),
			'a.ts',
			'two?',
			'two.',
			'three?',
			'three.',
			'four?',
			'four.',
		]);
		expect(words(...undone, change('restore', first.id))).toEqual([
			'one?',
			'one.',
			'two?',
			'two.',
			'three?',
			'three.',
			'four?',
			'four.',
		]);
		expect(words(...undone, change('restore', undone.at(-1)!.id)).slice(0, 2)).toEqual([
			summary('Second.'),
			'b.ts',
		]);
	});

	it('retains nothing when it names itself, and has no effect when it names an unknown item', () => {
		const draft = compaction('');
		expect(words(...one, {...draft, firstKept: draft.id}, user('next'))).toEqual([summary(), 'next']);
		expect(words(...one, compaction('nowhere'))).toEqual(['one?', 'one.']);
	});

	it('has no effect once it is rewound', () => {
		expect(words(...one, ...two, compaction(two[0]!.id), ...three, rewind(two.at(-1)!.id))).toEqual([
			'one?',
			'one.',
			'two?',
			'two.',
		]);
	});
});

describe('a dropped item', () => {
	it('leaves the context with its partner and their thought until it is restored', () => {
		const [asked, answer] = [call('a'), result('a')];
		const items = [
			user('u'),
			thinks('t'),
			asked,
			request(),
			answer,
			thinks('s'),
			call('b'),
			call('c'),
			request(),
			result('b'),
			result('c'),
		];
		for (const {id} of [asked, answer])
			expect(words(...items, change('drop', id))).toEqual(['u', 's,call b,call c', 'of b,of c']);
		const back = [...items, change('drop', asked.id), change('restore', asked.id)];
		expect(sent(...back)).toEqual(sent(...items));
	});

	it('leaves a line in its place between two answers, and at the beginning', () => {
		const [one, two] = [turn('one'), turn('two')];
		expect(words(...one, ...two, change('drop', two[0]!.id))).toEqual(['one?', 'one.', gap, 'two.']);
		expect(words(...one, change('drop', one[0]!.id))).toEqual([gap, 'one.']);
	});

	it('is not closed when it is a call without a result', () => {
		const asked = call('a');
		expect(unansweredCalls([user('u'), asked, request(), change('drop', asked.id)])).toEqual([]);
	});

	it('keeps its place in the parts of the context', () => {
		const items = [user('u'), file('f'), says('a'), request(), end()];
		const [, dropped] = contextPieces([setup, ...items, change('drop', items[1]!.id)]).pieces;
		expect(dropped).toEqual({item: items[1]});
	});
});

describe('a pruned result', () => {
	const output = result('a');
	const items = [user('u'), call('a'), request(), output, says('b'), request(), end()];

	it('keeps its call, and a line names the bytes of its output', () => {
		const bytes = output.type === 'tool_result' ? Buffer.byteLength(output.content) : 0;
		const pruned = [...items, change('prune', output.id)];
		expect(words(...pruned)).toEqual(['u', 'call a', `[output left out: ${bytes} bytes]`, 'b']);
		expect(contextPieces([setup, ...pruned]).pieces[2]).toMatchObject({item: {id: output.id}, pruned: true});
		expect(composeRequest([setup, ...pruned]).rewrites(undefined)).toEqual([
			{rule: 'pruned_output', where: [output.id]},
		]);
	});

	it('is sent whole again after a restore', () => {
		expect(sent(...items, change('prune', output.id), change('restore', output.id))).toEqual(sent(...items));
	});

	it('is not another kind of item: a prune of a message changes nothing', () => {
		expect(sent(...items, change('prune', items[0]!.id, items[1]!.id))).toEqual(sent(...items));
	});
});

const numRuns = process.env['INKPOD_TEST'] === 'long' ? 20_000 : 600;
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_201);
const check = (law: (items: Item[], at: number) => void) =>
	fc.assert(
		fc.property(anyHistory, fc.nat(1000), (random, at) => law(randomHistory(random), at)),
		{numRuns, seed, verbose: 1},
	);
const messages = (items: readonly Item[]): readonly ModelMessage[] => context(items).messages;

describe(`any history with rewinds, compactions and context changes (seed ${seed})`, () => {
	it('leads to valid requests: no answer comes first or follows another, even if items are left out', () => {
		check(items => {
			const said = messages(items);
			expect(refusePairs(said)).toBeUndefined();
			for (const message of said)
				if (message.role === 'assistant')
					expect(message.parts.some(({type}) => type !== 'reasoning')).toBe(true);
			if (!project(items, originRules).hasGaps) return;
			expect(said[0]?.role).not.toBe('assistant');
			expect(said.some(({role}, index) => role === 'assistant' && said[index - 1]?.role === 'assistant')).toBe(
				false,
			);
		});
	});

	it('has no unanswered calls after they are closed, and closing them again does nothing', () => {
		check(items => {
			const closed = [...items, ...closingResults(items, '', clock)];
			expect(unansweredCalls(closed)).toEqual([]);
			expect(closingResults(closed, '', clock)).toEqual([]);
		});
	});

	it('leads to the earlier context after a rewind, and to the later one after its undo', () => {
		check((items, at) => {
			const then = items.slice(0, (at % items.length) + 1);
			const back = rewind(then.at(-1)!.id);
			expect(messages([...items, back])).toEqual(messages(then));
			expect(messages([...items, back, ...turn('t'), change('restore', back.id)])).toEqual(
				messages([...items, ...turn('t')]),
			);
		});
	});

	it('leads to the same context after a compaction is undone, and after it is repeated', () => {
		check((items, at) => {
			const it = compaction(items[at % items.length]!.id);
			const since = [again(it, 'r'), ...turn('t')];
			expect(messages([...items, it, ...since, change('restore', it.id)])).toEqual(
				messages([...items, ...turn('t')]),
			);
			const second = compaction(it.firstKept);
			const [once, twice] = [messages([...items, it]), messages([...items, it, second])];
			expect(twice).toEqual(once);
		});
	});

	it('leads to no thought without the items that followed it, even if items are left out', () => {
		check(items => {
			const alone = messages(items).filter(
				message => message.role === 'assistant' && message.parts.at(-1)?.type === 'reasoning',
			);
			if (project(items, originRules).hasGaps) expect(alone).toEqual([]);
		});
	});
});

describe('a history with very many changes', () => {
	const first = turn('one');
	const {id} = first[0]!;

	it('has 20,000 compactions that each keep the same message', () => {
		const compactions = Array.from({length: 20_000}, (_, index) =>
			compaction(id, {keptIds: [id], summary: `summary ${index}`}),
		);
		expect(words(...first, ...compactions)).toEqual([summary('summary 19999'), 'one?', 'one.']);
		expect(unansweredCalls([setup, ...first, ...compactions])).toEqual([]);
	});

	it('has 3,000 compactions that each retain 3,000 items', () => {
		const turns = Array.from({length: 1000}, (_, index) => turn(`t${index}`)).flat();
		const compactions = Array.from({length: 3000}, () => compaction(turns[0]!.id));
		expect(words(...first, ...turns, ...compactions)).toHaveLength(2001);
	});
});
