import type {Timer} from '../../src/pod/ground/values/is-record.ts';

/** Timers with a clock that the test advances. */
export function handTimer(): {
	readonly timer: Timer;
	readonly pass: (ms: number) => void;
	readonly waiting: () => number;
} {
	const actions = new Map<object, {readonly at: number; readonly action: () => void}>();
	let now = 0;
	return {
		timer(ms, action) {
			const key = {};
			actions.set(key, {at: now + ms, action});
			return () => void actions.delete(key);
		},
		pass(ms) {
			now += ms;
			for (const [key, {at, action}] of [...actions]) if (at <= now && actions.delete(key)) action();
		},
		waiting: () => actions.size,
	};
}
