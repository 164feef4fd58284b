import {describe, expect, it} from 'vitest';
import {listsWithin} from '../../../src/pod/models/server-lists.ts';

describe('the lists of servers within a time', () => {
	it('are those that came, in the order of the servers', async () => {
		const late = Promise.withResolvers<[]>();
		const asks = [Promise.resolve([{name: 'a/1'}]), late.promise, Promise.resolve([{name: 'b/1'}])];
		expect(await listsWithin(asks, 1)).toEqual({models: [{name: 'a/1'}, {name: 'b/1'}], isComplete: false});
	});

	it('are complete as soon as all came', async () => {
		const asks = [Promise.resolve([{name: 'a/1'}]), Promise.resolve([])];
		expect(await listsWithin(asks, 60_000)).toEqual({models: [{name: 'a/1'}], isComplete: true});
		expect(await listsWithin([], 60_000)).toEqual({models: [], isComplete: true});
	});
});
