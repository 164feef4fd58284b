import {describe, expect, it} from 'vitest';
import {createWakeLimit, maxWakes} from '../../../../src/pod/run/controller/run-methods.ts';

function limit() {
	let time = 0;
	let told = 0;
	const wakes = createWakeLimit({now: () => time, onLimit: () => told++});
	return {wakes, told: () => told, later: (ms: number) => void (time += ms)};
}

describe('the limit of turns without the user', () => {
	it('stops further turns, and says so once', () => {
		const {wakes, told} = limit();
		expect(Array.from({length: maxWakes + 5}, () => wakes.mayWake())).toEqual([
			...Array.from({length: maxWakes}, () => true),
			...Array.from({length: 5}, () => false),
		]);
		expect(told()).toBe(1);
	});

	it('begins again when the user acts', () => {
		const {wakes} = limit();
		while (wakes.mayWake());
		wakes.reset();
		expect(wakes.mayWake()).toBe(true);
	});

	it('does not concern rare turns', () => {
		const {wakes, told, later} = limit();
		for (let n = 0; n < 100; n++) {
			later(60_000);
			expect(wakes.mayWake()).toBe(true);
		}
		expect(told()).toBe(0);
	});
});
