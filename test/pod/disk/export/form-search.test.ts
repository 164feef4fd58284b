import {describe, expect, it} from 'vitest';
import {createFormSearch} from '../../../../src/pod/disk/export/form-search.ts';
import {seededRandom} from '../../../helpers/random.ts';

const always = () => true;

function searchOf(texts: readonly string[]) {
	return createFormSearch(
		[...new Set(texts)].map(text => ({text})),
		always,
	);
}

/** Searches in the simplest way. */
function expected(texts: readonly string[], text: string): readonly string[] {
	const sorted = texts.toSorted((one, other) => other.length - one.length);
	const found: string[] = [];
	for (let at = 0; at < text.length; at++) {
		const form = sorted.find(one => text.startsWith(one, at));
		if (form === undefined) continue;
		found.push(`${at} ${form}`);
		at += form.length - 1;
	}
	return found;
}

describe('the search for forms', () => {
	it('finds what a search for each single form finds', () => {
		const random = seededRandom(7);
		const make = (length: number) => Array.from({length}, () => (random() < 0.85 ? 'a' : 'b')).join('');
		for (let round = 0; round < 20; round++) {
			const texts = Array.from({length: 40}, () => make(6 + Math.floor(random() * 70)));
			const pieces = Array.from({length: 30}, () => texts[Math.floor(random() * 40)] ?? '');
			const text = pieces.map(piece => `${piece.slice(Math.floor(random() * 4))}${make(5)}`).join('');
			const found = searchOf(texts).find(text);
			expect(found.map(({form, start}) => `${start} ${form.text}`)).toEqual(expected(texts, text));
			expect(found.every(({form, start, end}) => text.slice(start, end) === form.text)).toBe(true);
		}
	});

	it.each([200, 2000, 20_000])('finds a form beside %i others with the same beginning', count => {
		const others = Array.from(
			{length: count},
			(_, index) => `${'same-beginning-of-all-'.repeat(2)}${index}-longer`,
		);
		const wanted = `${'same-beginning-of-all-'.repeat(2)}x`;
		const found = searchOf([...others, wanted, 'same-beg', 'same-x']).find(`(${wanted}) same-x same-beg`);
		expect(found.map(({form}) => form.text)).toEqual([wanted, 'same-x', 'same-beg']);
	});

	it.each([
		['one character', 'a', Array.from({length: 100}, (_, index) => `${'a'.repeat(index * 12 + 6)}b`)],
		['many forms', 'a', Array.from({length: 1000}, (_, index) => `${'a'.repeat(800)}b${index}`)],
		['forms in each other', 'a', Array.from({length: 800}, (_, index) => 'a'.repeat(index + 800))],
		['a long form', 'ab', [`${'ab'.repeat(10_000)}c`]],
	])('takes a number of steps that grows with the text only: %s', (_, part, forms) => {
		const stepsOf = (length: number) => {
			const search = searchOf(forms);
			search.find(part.repeat(length));
			return search.steps() / length / part.length;
		};
		expect(stepsOf(100_000)).toBeLessThan(1.2 * stepsOf(25_000));
		expect(stepsOf(100_000)).toBeLessThan(40);
	});
});
