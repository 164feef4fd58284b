import {describe, expect, it} from 'vitest';
import {fitLines} from '../../../../src/screen/view/first-screen/first-screen-rows.ts';

describe('the lines of the first screen', () => {
	const lines = [
		{worth: 1, isTop: true, name: 'blank'},
		{worth: 9, isTop: true, name: 'model'},
		{worth: 8, name: 'example'},
		{worth: 3, name: 'second example'},
		{worth: 2, name: 'hint'},
	] as const;
	const named = (height: number, reserved: ReadonlyArray<{readonly worth: number}> = []) =>
		fitLines(lines, height, reserved).map(({name}) => name);

	it('are all there if there is room', () => {
		expect(named(5)).toEqual(lines.map(({name}) => name));
	});

	it('lose the least worth first and keep their order', () => {
		expect(named(4)).toEqual(['model', 'example', 'second example', 'hint']);
		expect(named(2)).toEqual(['model', 'example']);
		expect(named(0)).toEqual([]);
	});

	it('keep their top where it is when reserved lines appear', () => {
		const reserved = [{worth: 7}];
		const session = {worth: 7, name: 'session'} as const;
		for (let height = 0; height <= 7; height++) {
			const before = fitLines(lines, height, reserved).map(({name}) => name);
			const after = fitLines([...lines, session], height).map(({name}) => name);
			const top = (names: readonly string[]) => names.filter(name => name === 'blank' || name === 'model');
			expect(top(after)).toEqual(top(before));
			expect(after.length).toBeLessThanOrEqual(height);
			expect(before.length).toBeLessThanOrEqual(height);
		}
	});
});
