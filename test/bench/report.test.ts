import {describe, expect, test} from 'vitest';
import {markdownTable} from '../../bench/report.mjs';
import {median, percentile} from '../../bench/statistics.mjs';

describe('the table', () => {
	const line = (subject: string, round: number, usable: number) => ({
		subject,
		round,
		metric: 'start',
		values: {usable},
	});

	test('rounds of two subjects, medians with their range and the median of the ratios in the same round', () => {
		const lines = [
			line('floor', 1, 50),
			line('inkpod', 1, 100),
			line('floor', 2, 100),
			line('inkpod', 2, 400),
			line('floor', 3, 60),
			line('inkpod', 3, 180),
		];
		expect(markdownTable(lines)).toBe(
			'|  | floor | inkpod | inkpod / floor |\n| --- | --- | --- | --- |\n' +
				'| start to usable | 60 ms (50–100) | 180 ms (100–400) | 3× |',
		);
	});

	test('no floor was measured, no ratio is shown', () => {
		expect(markdownTable([line('inkpod', 1, 1234.5)])).toBe(
			'|  | inkpod |\n| --- | --- |\n| start to usable | 1,235 ms |',
		);
	});

	test('a figure could not be taken, its row is left out', () => {
		expect(
			markdownTable([
				{subject: 'floor', round: 1, metric: 'idle', values: {cpu: undefined, writes: 0, rss: undefined}},
			]),
		).toContain('writes when idle');
		expect(
			markdownTable([
				{subject: 'floor', round: 1, metric: 'idle', values: {cpu: undefined, writes: 0, rss: undefined}},
			]),
		).not.toContain('CPU');
	});
});

describe('statistics', () => {
	test('an even number of values, the median lies between the two in the middle', () => {
		expect([median([4, 1, 3, 2]), median([9, 1, 5]), median([])]).toEqual([2.5, 5, undefined]);
	});

	test('a percentile is one of the values', () => {
		expect(percentile([5, 1, 4, 2, 3], 0.95)).toBe(5);
		expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
	});
});
