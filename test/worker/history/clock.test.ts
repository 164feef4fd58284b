import {describe, expect, it} from 'vitest';
import {elapsed, moment, systemClock} from '../../../src/worker/history/clock.ts';

describe('elapsed', () => {
	it.each([
		['forward', 86_400_000],
		['backward', -86_400_000],
	])('ignores a clock that jumps %s', (_, jump) => {
		let now = 1_000_000_000;
		let ticks = 5;
		const clock = {now: () => now, ticks: () => ticks};
		const since = moment(clock);
		now += jump;
		ticks += 12.4;
		expect(elapsed(clock, since)).toBe(12);
	});

	it('uses the time of day when there are no ticks, and is never negative', () => {
		let now = 100;
		const clock = {now: () => now};
		const since = moment(clock);
		now = 130;
		expect(elapsed(clock, since)).toBe(30);
		now = 50;
		expect(elapsed(clock, since)).toBe(0);
	});

	it('uses ticks of the system clock', () => {
		const {ticks} = systemClock();
		expect(ticks?.()).toBeLessThan(Date.now() / 2);
	});
});
