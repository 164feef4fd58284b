import {expect, it} from 'vitest';
import {editDistance, isSlipOf} from '../../../src/pod/protocol/edit-distance.ts';

it.each([
	['modle', 'model', 'two swapped letters'],
	['modal', 'model', 'a wrong letter'],
	['modl', 'model', 'a missing letter'],
	['moddel', 'model', 'an extra letter'],
	['cotnex', 'context', 'an error in the beginning of a name'],
	['nwe', 'new', 'an error in a whole name of three letters'],
])('%s is a slip of %s: %s', (word, name) => {
	expect(isSlipOf(word, name)).toBe(true);
});

it.each([
	['madal', 'model', 'two errors'],
	['moz', 'model', 'three letters that only begin the name'],
	['ne', 'new', 'too short'],
	['x'.repeat(41), 'x'.repeat(41), 'too long'],
	['review', 'rewind', 'another word'],
])('%s is not a slip of %s: %s', (word, name) => {
	expect(isSlipOf(word, name)).toBe(false);
});

it('the distance counts each letter that differs', () => {
	expect([editDistance('kitten', 'sitting'), editDistance('', 'abc'), editDistance('ab', 'ba')]).toEqual([3, 3, 1]);
});
