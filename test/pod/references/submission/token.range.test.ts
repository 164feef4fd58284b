import {describe, expect, it} from 'vitest';
import {leadingRange, splitRange} from '../../../../src/pod/references/submission/token.ts';

const max = Number.MAX_SAFE_INTEGER;

describe('a range at the end of a name', () => {
	it.each([
		['a.ts:10', {path: 'a.ts', range: {first: 10, last: 10}}],
		['a.ts:10-20', {path: 'a.ts', range: {first: 10, last: 20}}],
		['a.ts:10-', {path: 'a.ts', range: {first: 10}}],
		['a.ts#L10', {path: 'a.ts', range: {first: 10, last: 10}}],
		['a.ts#L10-L20', {path: 'a.ts', range: {first: 10, last: 20}}],
		['a.ts#L10-20', {path: 'a.ts', range: {first: 10, last: 20}}],
		['a.ts:20-10', {path: 'a.ts', range: {first: 20, last: 10}}],
		['a.ts:1:2', {path: 'a.ts:1', range: {first: 2, last: 2}}],
		['a.ts:0', {path: 'a.ts', range: undefined}],
		['a.ts:00', {path: 'a.ts', range: undefined}],
		['a.ts:0-', {path: 'a.ts', range: undefined}],
		['a.ts:3-0', {path: 'a.ts', range: undefined}],
		['a.ts#L0-L9', {path: 'a.ts', range: undefined}],
		['a.ts:99999999999999999999', {path: 'a.ts', range: {first: max, last: max}}],
		[`a.ts:1-${'9'.repeat(24)}`, {path: 'a.ts', range: {first: 1, last: max}}],
		[`a.ts:${'9'.repeat(25)}`, undefined],
		[':10', undefined],
		['#L10', undefined],
		['a.ts', undefined],
		['a.ts:', undefined],
		['a.ts:x', undefined],
		['a.ts:-5', undefined],
		['a.ts:1.5', undefined],
		['a.ts:+1', undefined],
		['a.ts#l10', undefined],
		['a.ts#10', undefined],
		['a.ts#L10-', undefined],
		['a.ts:１０', undefined],
		['', undefined],
	])('is parsed in %j', (name, expected) => {
		expect(splitRange(name)).toEqual(expected);
	});
});

describe('a range at the start of a text', () => {
	it.each([
		[':10 please', {range: {first: 10, last: 10}, length: 3}],
		[':10-20, please', {range: {first: 10, last: 20}, length: 6}],
		[':10-を見て', {range: {first: 10}, length: 4}],
		[':10を見て', {range: {first: 10, last: 10}, length: 3}],
		['#L3を', {range: {first: 3, last: 3}, length: 3}],
		[':10ｔｈ', undefined],
		[':10- please', {range: {first: 10}, length: 4}],
		['#L3).', {range: {first: 3, last: 3}, length: 3}],
		[':0', {range: undefined, length: 2}],
		[':10th', undefined],
		[':10_', undefined],
		[': 10', undefined],
		[' :10', undefined],
		['', undefined],
	])('is parsed in %j', (text, expected) => {
		expect(leadingRange(text)).toEqual(expected);
	});
});
