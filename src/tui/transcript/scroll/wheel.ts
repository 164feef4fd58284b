/** How the wheel was turned last: when, which way, and how many quick turns before it. */
export type Wheel = {readonly at: number; readonly direction: -1 | 0 | 1; readonly count: number};

export const stillWheel: Wheel = {at: 0, direction: 0, count: 0};

/** The wheel after one more turn. */
export function turnWheel(wheel: Wheel, direction: -1 | 1, now: number): Wheel {
	const isQuick = direction === wheel.direction && now - wheel.at < quick;
	return {at: now, direction, count: isQuick ? wheel.count + 1 : 0};
}

/** Rows that this turn scrolls: three, more for quick turns, never more than half of the height. */
export function rowsOfTurn({count}: Wheel, height: number): number {
	return Math.max(1, Math.min(Math.floor(height / 2), 3 * Math.min(3, 1 + Math.floor(count / 6))));
}

/** Milliseconds between two quick turns. */
const quick = 60;
