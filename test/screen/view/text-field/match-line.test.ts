import {describe, expect, it} from 'vitest';
import {anyOf, aroundMatch, markMatches} from '../../../../src/screen/view/text-field/match-line.ts';
import {width} from '../../../../src/text/width.ts';

describe('a line with a match', () => {
	it('is whole if its match is visible', () => {
		expect(aroundMatch('the needle in the hay', anyOf(['needle']), 60)).toBe('the needle in the hay');
		expect(aroundMatch('no match', anyOf(['needle']), 4)).toBe('no match');
		expect(aroundMatch('no pattern', anyOf([]), 4)).toBe('no pattern');
	});

	it.each([
		['x'.repeat(300), 60],
		['x'.repeat(300), 12],
		['日本'.repeat(50), 30],
		['👨‍👩‍👧‍👦'.repeat(80), 30],
	])('loses its beginning, so that the match is visible: %#', (before, room) => {
		const line = aroundMatch(`${before}needle`, anyOf(['needle']), room);
		expect(line).toMatch(/^…/u);
		expect(width(line.slice(0, line.indexOf('needle')))).toBeLessThanOrEqual(room / 3 + 1);
	});

	it('has its matches marked in any case, and in both forms of a letter with a mark', () => {
		const line = 'Café cafe\u0301 cafe';
		const marked = (isChosen: boolean) =>
			markMatches(line, anyOf(['CAFÉ', '']), isChosen).filter(({style}) => style !== undefined);
		expect(marked(false)).toEqual([
			{text: 'Café', style: 'match'},
			{text: 'cafe\u0301', style: 'match'},
		]);
		expect(marked(true).map(({style}) => style)).toContainEqual(['selection', 'bold']);
	});
});
