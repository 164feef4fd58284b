import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Item} from '../../src/pod/protocol.ts';
import type {Row} from '../../src/screen/spans/row.ts';
import {sessionTail} from '../../src/transcript/session-tail.ts';
import {views, type View} from '../../src/transcript/block.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {atEnd, visible} from '../../src/screen/rows/viewport/viewport.ts';
import {createItems} from '../helpers/items.ts';
import {anyHistory, drafts, randomHistory} from '../helpers/random-history.ts';

const seed = 20_261_121;
const numRuns = process.env['INKPOD_TEST'] === 'long' ? 5000 : 300;

/** Returns the last rows of some items. */
function lastRows(items: readonly Item[], view: View, height: number): readonly Row[] {
	const store = createTranscriptStore({columns: 50, view});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/p', writable: false, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	const rows = visible(store, atEnd, height).rows.map(({row}) => row);
	store.dispose();
	return rows;
}

/** Replaces most items that refer to earlier ones by the end of a run or another message. */
function tamed<Step extends {readonly kind: number; readonly at: number}>(step: Step): Step {
	if (step.at % 4 === 0) return step;
	return {...step, kind: step.kind > 10 || step.kind === 3 ? 10 : step.kind === 7 || step.kind === 8 ? 0 : step.kind};
}

describe('the end of a session', () => {
	it(`contains the last rows of the whole history, for any history from any item (seed ${seed})`, () => {
		let shown = 0;
		fc.assert(
			fc.property(anyHistory, fc.boolean(), fc.constantFrom(...views), (random, isTame, view) => {
				const items = randomHistory(isTame ? random.map(tamed) : random);
				const endings = items.map((_, from) => sessionTail(items.slice(from)).length);
				const whole = lastRows(items, view, 100_000);
				for (const length of new Set(endings)) {
					const rows = length === 0 ? [] : lastRows(items.slice(-length), view, 100_000);
					if (rows.length > 0) shown++;
					expect(rows).toEqual(rows.length === 0 ? [] : whole.slice(-rows.length));
				}
			}),
			{numRuns, seed},
		);
		expect(shown).toBeGreaterThan(numRuns * 0.4);
	});

	it('does not begin with a setup, whose row differs at the beginning of a session', () => {
		const make = drafts();
		const [first, second, third] = ['a', 'b', 'c'].map(name => make.turn(name));
		const items = [make.setup, ...first!, {...make.setup, id: 'again'}, ...second!, ...third!];
		expect(sessionTail(items)).toEqual(third);
	});

	it('begins after the first end of a run when turns follow each other', () => {
		const make = drafts();
		const turns = ['a', 'b', 'c'].map(name => make.turn(name));
		expect(sessionTail([make.setup, ...turns.flat()])).toEqual([...turns[1]!, ...turns[2]!]);
		expect(sessionTail(turns.flat().slice(3))).toEqual([...turns[1]!, ...turns[2]!]);
		expect(sessionTail(turns[0]!.slice(0, 3))).toEqual([]);
	});

	it('begins after a result whose call is before a pause', () => {
		const make = drafts();
		const paused = [make.user('u'), make.call('1'), make.request(), make.end('paused')];
		const goesOn = [make.result('1'), make.says('a'), make.request(), make.end()];
		const last = make.turn('b');
		expect(sessionTail([...paused, ...goesOn, ...last])).toEqual(last);
		expect(sessionTail([...make.turn('c'), ...paused, ...goesOn, ...last])).toEqual([
			...paused,
			...goesOn,
			...last,
		]);
	});

	it('is not shown alone when it has a compaction, a rewind or a change of earlier items', () => {
		const make = drafts();
		const [first, last] = [make.turn('a'), make.turn('b')];
		for (const act of [
			make.compaction(first[0]!.id),
			make.compaction(last[0]!.id, {keptIds: [first[0]!.id]}),
			make.change('drop', first[1]!.id),
		]) {
			expect(sessionTail([...first.slice(2), ...last, act])).toEqual([]);
			expect(sessionTail([...first.slice(2), ...last, act, ...first])).toEqual([]);
		}
		expect(sessionTail([...first.slice(2), make.rewind(first[0]!.id), ...last])).toEqual(last);
		expect(sessionTail([...first, ...last, make.rewind(last[1]!.id)])).toHaveLength(last.length + 1);
	});

	it('keeps each result with the call of its own answer when call ids repeat', () => {
		const make = createItems();
		const answer = (name: string, isAnswered: boolean) => [
			make.user(name),
			make.call('call_0', 'bash', {command: name}),
			make.request('tool_calls'),
			...(isAnswered ? [make.result('call_0', name, name)] : []),
			make.end(),
		];
		const items = [...answer('one', true), ...answer('two', false), ...answer('three', true)];
		for (const view of views)
			expect(lastRows(items.slice(-5), view, 100)).toEqual(
				lastRows(items, view, 100).slice(-lastRows(items.slice(-5), view, 100).length),
			);
	});
});
