import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {quickCheck} from '../../../src/worker/history/quick-check.ts';

const schema = z
	.object({
		id: z.string().min(1),
		kind: z.literal('a'),
		role: z.enum(['user', 'system']),
		count: z.number().nonnegative().optional(),
		turns: z.number().int().positive().optional(),
		title: z.string().max(3).optional(),
		isOn: z.boolean().optional(),
		data: z.record(z.string(), z.unknown()).optional(),
		list: z.array(z.object({name: z.string()})).optional(),
	})
	.loose()
	.refine(value => value.count !== 7);
const check = quickCheck(schema);
const item = {id: 'x', kind: 'a', role: 'user'};

const accepted = [
	item,
	{...item, more: {deep: [1]}},
	{...item, turns: 1, title: 'abc'},
	{...item, count: 0, isOn: false, data: {a: 1, b: {}}, list: [{name: ''}]},
];
const others: readonly unknown[] = [
	undefined,
	null,
	1,
	'a',
	[],
	[item],
	{},
	{...item, id: ''},
	{...item, id: 1},
	{...item, kind: 'b'},
	{...item, role: 'other'},
	{...item, count: -1},
	{...item, count: 7},
	{...item, count: null},
	{...item, count: Infinity},
	{...item, count: '1'},
	{...item, turns: 0},
	{...item, turns: 1.5},
	{...item, turns: 2 ** 53},
	{...item, title: 'abcd'},
	{...item, isOn: 0},
	{...item, data: []},
	{...item, data: null},
	{...item, list: {}},
	{...item, list: [{}]},
	{...item, list: [null]},
	// The schema removes these keys.
	{...item, list: [{name: '', more: 1}]},
	JSON.parse(`{"id":"x","kind":"a","role":"user","data":{"__proto__":{}}}`),
];

describe('a quick check', () => {
	it.each(accepted)('is true for a value that the schema returns unchanged: %j', value => {
		expect(schema.parse(value)).toEqual(value);
		expect(check(value)).toBe(true);
	});

	it.each(others)('is false for a value that the schema refuses or changes: %j', value => {
		expect(check(value)).toBe(false);
		const parsed = schema.safeParse(value);
		expect(parsed.success && JSON.stringify(parsed.data) === JSON.stringify(value)).toBe(false);
	});

	it('is false for everything that it does not know', () => {
		expect(quickCheck(z.date())(new Date())).toBe(false);
		expect(quickCheck(z.string().regex(/a/))('a')).toBe(false);
	});
});
