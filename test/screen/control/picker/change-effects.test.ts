import {describe, expect, it} from 'vitest';
import type {EntryFacts, PickerEntry} from '../../../../src/screen/model/picker/text-search.ts';
import {createLazyFacts} from '../../../../src/screen/control/picker/change-effects.ts';

const [a, b, c] = ['a', 'b', 'c'].map((id): PickerEntry => ({
	id,
	dir: id,
	changed: '2026-01-01T00:00:00.000Z',
	bytes: 1,
	words: id,
})) as [PickerEntry, PickerEntry, PickerEntry];

function reading() {
	const started: string[] = [];
	const gates: Array<PromiseWithResolvers<EntryFacts>> = [];
	const signals: AbortSignal[] = [];
	const read: string[] = [];
	const reads = createLazyFacts({
		async readFacts({dir}, signal) {
			started.push(dir);
			signals.push(signal);
			const gate = Promise.withResolvers<EntryFacts>();
			gates.push(gate);
			return gate.promise;
		},
		onRead: dir => read.push(dir),
	});
	return {reads, started, signals, read, answer: (at: number) => gates[at]!.resolve({})};
}

describe('reading the facts of sessions', () => {
	it('goes through the visible ones, one at a time', async () => {
		const {reads, started, read, answer} = reading();
		reads.want([a, b]);
		await expect.poll(() => started).toEqual(['a']);
		answer(0);
		await expect.poll(() => started).toEqual(['a', 'b']);
		expect(read).toEqual(['a']);
		answer(1);
		await expect.poll(() => read).toEqual(['a', 'b']);
	});

	it('leaves out those that the screen no longer shows', async () => {
		const {reads, started, signals, read, answer} = reading();
		reads.want([a, b]);
		await expect.poll(() => started).toEqual(['a']);
		reads.want([c]);
		expect(signals[0]!.aborted).toBe(true);
		answer(0);
		await expect.poll(() => started).toEqual(['a', 'c']);
		answer(1);
		await expect.poll(() => read).toEqual(['c']);
	});

	it('ends when nothing is wanted', async () => {
		const {reads, started, read, answer} = reading();
		reads.want([a]);
		reads.want([]);
		reads.want([b]);
		await expect.poll(() => started).toEqual(['b']);
		reads.want([]);
		answer(0);
		reads.want([c]);
		await expect.poll(() => started).toEqual(['b', 'c']);
		expect(read).toEqual([]);
	});
});
