import {describe, expect, it} from 'vitest';
import {readSince} from '../../../src/cli/start/since.ts';

const now = new Date(2026, 10, 30, 18, 30).getTime();
const local = (...parts: readonly [number, number, number, number?, number?]) => new Date(...parts).toISOString();

describe('a time in the past', () => {
	it.each<[string, string]>([
		['today', local(2026, 10, 30)],
		['Yesterday', local(2026, 10, 29)],
		['30m', local(2026, 10, 30, 18)],
		['12h', local(2026, 10, 30, 6, 30)],
		['2d', local(2026, 10, 28, 18, 30)],
		['1w', local(2026, 10, 23, 18, 30)],
		['2026-11-01', local(2026, 10, 1)],
		['2026-11-01T14:05', local(2026, 10, 1, 14, 5)],
		['2026-11-01 14:05', local(2026, 10, 1, 14, 5)],
		['2026-11-01T14:05:06.5Z', '2026-11-01T14:05:06.500Z'],
		['2026-11-01T14:05+02:00', '2026-11-01T12:05:00.000Z'],
	])('may be %s', (text, expected) => {
		expect(readSince(text, now)).toBe(expected);
	});

	it.each([
		'',
		'2',
		'd',
		'2x',
		'-2d',
		'2.5d',
		'2026-13-01',
		'2026-02-30',
		'2026-11-30T25:00',
		'30.11.2026',
		'999999w',
	])('is not %s', text => {
		expect(readSince(text, now)).toBeUndefined();
	});
});
