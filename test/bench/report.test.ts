import {describe, expect, it} from 'vitest';
import {failures, markdownTable} from '../../bench/report.mjs';
import {median, percentile} from '../../bench/statistics.mjs';

describe('the table', () => {
	const line = (subject: string, round: number, usable: number) => ({
		subject,
		round,
		metric: 'start',
		values: {usable},
	});

	it('shows medians with their range, and the median of the ratios of each round', () => {
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

	it('shows no ratio when no floor was measured', () => {
		expect(markdownTable([line('inkpod', 1, 1234.5)])).toBe(
			'|  | inkpod |\n| --- | --- |\n| start to usable | 1,235 ms |',
		);
	});

	it('names the versions of peers, and lists what failed below the table', () => {
		const failed = {subject: 'pi', round: 2, metric: 'warm', values: {}, failure: 'the program ended'};
		const lines = [line('pi', 1, 100), failed];
		expect(markdownTable(lines, {pi: '1.6.0', inkpod: undefined})).toContain('|  | pi 1.6.0 |');
		expect(failures(lines)).toBe('\npi, warm, round 2: the program ended\n');
		expect(failures([line('pi', 1, 100)])).toBe('');
	});

	it('leaves out the row of a figure that could not be measured', () => {
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
	it('put the median between the two middle values when the number of values is even', () => {
		expect([median([4, 1, 3, 2]), median([9, 1, 5]), median([])]).toEqual([2.5, 5, undefined]);
	});

	it('return one of the values as a percentile', () => {
		expect(percentile([5, 1, 4, 2, 3], 0.95)).toBe(5);
		expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
	});
});
