import {describe, expect, it} from 'vitest';
import {
	deadlineOf,
	newAnswering,
	stepAnswering,
	type Answering,
	type AnsweringFacts,
} from '../../../../src/screen/model/card/answering.ts';
import type {AnsweringEvent, CardKey} from '../../../../src/screen/model/card/events.ts';

const facts: AnsweringFacts = {
	choices: [
		{choice: 'allow', isUnread: false, takesReason: false, writesRule: false},
		{choice: 'always', isUnread: false, takesReason: false, writesRule: true},
		{choice: 'deny', isUnread: true, takesReason: true, writesRule: false},
	],
	hasMore: false,
	refusal: 2,
	isDraftEmpty: true,
	isDraftTooLong: false,
	hasOnlyDigits: false,
	mayStop: true,
};
const seen: Answering = {...newAnswering(facts), drawnAt: 0, isSeen: true};
const digit = (number: number): CardKey => ({kind: 'digit', digit: number, text: String(number)});
const key = (
	pressed: CardKey,
	at: number,
	change: Partial<Extract<AnsweringEvent, {type: 'key'}>> = {},
): AnsweringEvent => ({type: 'key', key: pressed, at, alone: true, bare: false, isHeld: false, ...change});

/** Returns the state and all effects after events. A draft gets its text with the first `edit`. */
function played(events: readonly AnsweringEvent[], from: Answering = seen, known: AnsweringFacts = facts) {
	let state = from;
	const effects = events.flatMap(event => {
		const step = stepAnswering(state, event, known);
		({state} = step);
		return step.effects;
	});
	return {state, effects};
}

const answered = (choice: string, withReason = false) => [{type: 'answer', choice, withReason}];

describe('the answering machine of a card', () => {
	it.each<[string, readonly AnsweringEvent[], readonly unknown[]]>([
		['a digit that is due', [key(digit(1), 1000), {type: 'time', at: 1400}], answered('allow')],
		['a digit that is not due', [key(digit(1), 1000), {type: 'time', at: 1399}], []],
		['a digit and Enter', [key(digit(1), 1000), key({kind: 'enter'}, 1040)], answered('allow')],
		[
			'a digit and Enter of a paste in two reads',
			[key(digit(1), 1000), key({kind: 'enter'}, 1039), {type: 'time', at: 9000}],
			[{type: 'type', text: '1'}],
		],
		[
			'a digit before the rest of a sequence',
			[key(digit(1), 1000), {type: 'part', at: 1300}, {type: 'time', at: 1699}],
			[],
		],
		[
			'a digit and a paste',
			[key(digit(1), 1000), {type: 'paste'}, {type: 'time', at: 1400}],
			[{type: 'type', text: '1'}, {type: 'edit'}],
		],
		['a digit and another program', [key(digit(1), 1000), {type: 'hidden'}, {type: 'time', at: 1400}], []],
		[
			'a digit and a draft from elsewhere',
			[key(digit(1), 1000), {type: 'draft', isSetByProgram: false}, {type: 'time', at: 1400}],
			answered('allow'),
		],
		['an Esc that is whole', [key({kind: 'escape'}, 1000)], answered('deny')],
		[
			'an Esc byte that begins a sequence',
			[key({kind: 'escape'}, 1000, {bare: true}), {type: 'late'}, {type: 'time', at: 1400}],
			[],
		],
		[
			'an Esc byte, and a digit that may belong to it',
			[key({kind: 'escape'}, 1000, {bare: true}), key(digit(1), 1060), {type: 'time', at: 1600}],
			[{type: 'edit'}],
		],
		['Enter at the marker', [key({kind: 'enter'}, 1000)], answered('deny')],
		['Enter twice', [key({kind: 'enter'}, 1000), key({kind: 'enter'}, 2000)], answered('deny')],
		['a rule, once', [key(digit(2), 960), key({kind: 'enter'}, 1001), {type: 'time', at: 9000}], []],
		[
			'a rule, twice',
			[
				key(digit(2), 960),
				key({kind: 'enter'}, 1001),
				{type: 'seen'},
				key({kind: 'enter'}, 1401),
				{type: 'time', at: 1551},
			],
			answered('always'),
		],
		[
			'a rule whose end was not shown',
			[key(digit(2), 960), key({kind: 'enter'}, 1001), key({kind: 'enter'}, 1401), {type: 'time', at: 1551}],
			[],
		],
		['a key for another layer', [key({kind: 'other'}, 1000)], [{type: 'pass'}]],
		['a letter', [key({kind: 'text'}, 1000)], [{type: 'edit'}]],
	])('has the expected effects for %s', (_, events, effects) => {
		expect(played(events).effects).toEqual(effects);
	});

	it.each<[string, Partial<Extract<AnsweringEvent, {type: 'key'}>>, string]>([
		['with others in its read', {alone: false}, 'together'],
		['that is held down', {isHeld: true}, 'held'],
		['too early', {at: 399}, 'early'],
	])('does not accept a key %s as an answer', (_, change, note) => {
		const others = [{kind: 'enter'}, {kind: 'escape'}] as const;
		for (const pressed of note === 'early' ? others : [digit(1), digit(3), ...others]) {
			const {state, effects} = played([key(pressed, 1000, change), {type: 'time', at: 9000}]);
			expect([pressed.kind, effects.filter(({type}) => type === 'answer'), state.note]).toEqual([
				pressed.kind,
				[],
				pressed.kind === 'digit' ? `typed_${note}` : note,
			]);
		}
	});

	it('sends a reason only with the refusal, and a message on its own', () => {
		const written = {...facts, isDraftEmpty: false};
		expect(played([key({kind: 'enter'}, 1000)], {...seen, draft: 'reason'}, written).effects).toEqual(
			answered('deny', true),
		);
		expect(played([key({kind: 'enter'}, 1000)], {...seen, draft: 'message'}, written).effects).toEqual([
			{type: 'submit'},
		]);
		expect(played([key(digit(1), 1000), {type: 'time', at: 9000}], seen, written).effects).toEqual([
			{type: 'edit'},
		]);
		expect(played([key({kind: 'escape'}, 1000)], seen, written).effects).toEqual(answered('deny'));
		expect(
			played([{type: 'draft', isSetByProgram: true}, key({kind: 'enter'}, 1000)], seen, written).effects,
		).toEqual([{type: 'submit'}]);
	});

	it('can be answered again when the answer did not arrive', () => {
		expect(played([key({kind: 'enter'}, 1000), {type: 'refused'}, key({kind: 'enter'}, 2000)]).effects).toEqual([
			...answered('deny'),
			...answered('deny'),
		]);
	});

	it('asks for a time event when it changes without a key', () => {
		expect(deadlineOf(seen)).toBeUndefined();
		expect(deadlineOf(played([key(digit(1), 1000)]).state)).toBe(1400);
	});
});
