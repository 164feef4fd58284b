import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Item, ModelMessage} from '../../src/worker/index.ts';
import {project} from '../../src/worker/projection.ts';
import {
	closingResults,
	context,
	contextPieces,
	interruption,
	originRules,
	resumableCalls,
	unansweredCalls,
} from '../../src/pod/history/reader.ts';
import {anyHistory, drafts, randomHistory} from '../helpers/random-history.ts';
import {refusePairs} from '../helpers/random-session.ts';

const {clock, setup, user, file, says, thinks, call, result, request, end, compaction, rewind, change, again, turn} =
	drafts();

const sent = (...items: Item[]) => context([setup, ...items]).messages;
/** What a request says, in short. */
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

	test('takes what came after its item out of the context, and the conversation goes on from there', () => {
		expect(words(...one, ...two, ...three, back, ...turn('other'))).toEqual(['one?', 'one.', 'other?', 'other.']);
	});

	test('that is restored, has not happened; what was said since stays', () => {
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

	test('to an item that an earlier rewind took away, is a way back to it', () => {
		expect(words(...one, ...two, back, ...three, rewind(two.at(-1)!.id))).toEqual(['one?', 'one.', 'two?', 'two.']);
	});

	test('to no item that was there before it, does nothing', () => {
		expect(words(...one, rewind('nowhere'), rewind(two[0]!.id), ...two)).toEqual(['one?', 'one.', 'two?', 'two.']);
	});

	test('of an interrupted turn, leaves nothing open; undone, it is as open as it was', () => {
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

	test('to before a result, leaves its call unanswered, for a new one', () => {
		const [asked, first] = [call('a'), result('a', 'first')];
		const rewound = [user('u'), asked, request(), first, rewind(asked.id)];
		expect(unansweredCalls(rewound)).toEqual([asked]);
		expect(words(...rewound, result('a', 'second'))).toEqual(['u', 'call a', 'second']);
	});
});

describe('a compaction', () => {
	const [one, two, three] = [turn('one'), turn('two'), turn('three')];

	test('puts its summary in the place of what stood before, then what it kept, what it read again, and what is retained', () => {
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

	test('keeps what is pinned, before or after it, and its partner', () => {
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

	test('that cuts between a call and its result, keeps both, and the thought that led to them', () => {
		const late = result('b');
		expect(
			words(user('u'), thinks('t'), call('a'), call('b'), request(), result('a'), late, compaction(late.id)),
		).toEqual([summary(), 't,call b', 'of b']);
	});

	test('on top of another, summarises that and what it read again', () => {
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

	test('that retains nothing, names itself; one that names nothing, does nothing', () => {
		const draft = compaction('');
		expect(words(...one, {...draft, firstKept: draft.id}, user('next'))).toEqual([summary(), 'next']);
		expect(words(...one, compaction('nowhere'))).toEqual(['one?', 'one.']);
	});

	test('that was rewound, has not happened', () => {
		expect(words(...one, ...two, compaction(two[0]!.id), ...three, rewind(two.at(-1)!.id))).toEqual([
			'one?',
			'one.',
			'two?',
			'two.',
		]);
	});
});

describe('an item that is dropped', () => {
	test('leaves the context with its partner and the thought that led to them, and comes back when it is restored', () => {
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

	test('between two answers, leaves a line that keeps them apart; so does the first of all', () => {
		const [one, two] = [turn('one'), turn('two')];
		expect(words(...one, ...two, change('drop', two[0]!.id))).toEqual(['one?', 'one.', gap, 'two.']);
		expect(words(...one, change('drop', one[0]!.id))).toEqual([gap, 'one.']);
	});

	test('and has no result, is not closed any more', () => {
		const asked = call('a');
		expect(unansweredCalls([user('u'), asked, request(), change('drop', asked.id)])).toEqual([]);
	});

	test('is told of in its place', () => {
		const items = [user('u'), file('f'), says('a'), request(), end()];
		const [, dropped] = contextPieces([setup, ...items, change('drop', items[1]!.id)]).pieces;
		expect(dropped).toEqual({item: items[1]});
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

describe(`law: whatever was rewound, compacted, dropped, restored and pinned (seed ${seed})`, () => {
	test('every request is wire-valid, and where something is left out no answer stands first or behind another', () => {
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

	test('after the closures nothing is unanswered, and closing again does nothing', () => {
		check(items => {
			const closed = [...items, ...closingResults(items, '', clock)];
			expect(unansweredCalls(closed)).toEqual([]);
			expect(closingResults(closed, '', clock)).toEqual([]);
		});
	});

	test('a rewind gives the context as it was, and undone it has not happened', () => {
		check((items, at) => {
			const then = items.slice(0, (at % items.length) + 1);
			const back = rewind(then.at(-1)!.id);
			expect(messages([...items, back])).toEqual(messages(then));
			expect(messages([...items, back, ...turn('t'), change('restore', back.id)])).toEqual(
				messages([...items, ...turn('t')]),
			);
		});
	});

	test('a compaction that is undone has not happened, what was said since stays, and the same one twice is as one', () => {
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

	test('where something is left out, no thought is sent without what it led to', () => {
		check(items => {
			const alone = messages(items).filter(
				message => message.role === 'assistant' && message.parts.at(-1)?.type === 'reasoning',
			);
			if (project(items, originRules).hasGaps) expect(alone).toEqual([]);
		});
	});
});
