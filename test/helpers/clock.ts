import type {Clock} from '../../src/worker/index.ts';

/** Creates a clock that counts its ids and times, so that two runs of a test make the same items. */
export function countedClock(prefix = 'i'): Clock {
	let ids = 0;
	let ms = Date.UTC(2026, 0, 1);
	return {id: () => `${prefix}${String(++ids).padStart(4, '0')}`, now: () => (ms += 10)};
}
