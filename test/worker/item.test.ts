import {expect, test} from 'vitest';
import {parseItem} from '../../src/worker/index.ts';

const base = {id: 'a', at: '2026-01-01T00:00:00.000Z'};

test('an item with keys that this version does not know, keeps them, in its nested objects too', () => {
	const item = {...base, type: 'message', role: 'system', text: 'x', origin: {kind: 'new', deep: {a: 1}}, extra: [1]};
	expect(parseItem(item)).toEqual(item);
});

test.each([
	['an unknown type', {...base, type: 'hologram'}],
	['no id', {type: 'rewind', at: base.at, to: 'x'}],
	['a wrong shape', {...base, type: 'message', role: 'robot', text: 'x'}],
	['no object', 'message'],
])('%s, is no item', (_name, value) => {
	expect(parseItem(value)).toBeUndefined();
});
