import {describe, expect, it} from 'vitest';
import {createAsks} from '../../../../src/pod/permissions/approval/asks.ts';
import type {Ask} from '../../../../src/pod/protocol.ts';

const question = {
	title: 'May it?',
	detail: 'x',
	choices: [
		{choice: 'yes', label: 'Yes'},
		{choice: 'no', label: 'No'},
	],
};

function setUp() {
	let id = 0;
	const told: Array<readonly Ask[]> = [];
	return {
		asks: createAsks(
			() => `a${++id}`,
			list => told.push(list),
		),
		told,
	};
}

describe('questions to the user', () => {
	it('are answered in any order, each once', async () => {
		const {asks, told} = setUp();
		const {signal} = new AbortController();
		const first = asks.ask(question, signal);
		const second = asks.ask(question, signal);
		expect(told.at(-1)!.map(ask => ask.id)).toEqual(['a1', 'a2']);
		expect(asks.answer('a2', {choice: 'no', reason: 'because'})).toBe(true);
		expect(await second).toEqual({choice: 'no', reason: 'because'});
		expect(asks.answer('a2', {choice: 'yes'})).toBe(false);
		expect(asks.answer('a1', {choice: 'maybe'})).toBe(false);
		expect(asks.answer('a1', {choice: 'yes'})).toBe(true);
		expect(await first).toEqual({choice: 'yes'});
		expect(told.at(-1)).toEqual([]);
	});

	it('are withdrawn by an abort, after which no other is asked', async () => {
		const {asks, told} = setUp();
		const abort = new AbortController();
		const asked = asks.ask(question, abort.signal);
		abort.abort();
		expect(await asked).toBeUndefined();
		expect(told.at(-1)).toEqual([]);
		expect(await asks.ask(question, abort.signal)).toBeUndefined();
		expect(told).toHaveLength(2);
	});
});
