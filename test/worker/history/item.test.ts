import {describe, expect, it} from 'vitest';
import {parseItem} from '../../../src/worker/index.ts';

const base = {id: 'a', at: '2026-01-01T00:00:00.000Z'};

describe('a parsed item', () => {
	it('keeps unknown keys, even in nested objects', () => {
		const item = {
			...base,
			type: 'message',
			role: 'system',
			text: 'x',
			origin: {kind: 'new', deep: {a: 1}},
			extra: [1],
		};
		expect(parseItem(item)).toEqual(item);
	});

	it.each([
		['an unknown type', {...base, type: 'hologram'}],
		['no id', {type: 'rewind', at: base.at, to: 'x'}],
		['a wrong shape', {...base, type: 'message', role: 'robot', text: 'x'}],
		['a type that is not an object', 'message'],
	])('is undefined for a value with %s', (_name, value) => {
		expect(parseItem(value)).toBeUndefined();
	});
});
