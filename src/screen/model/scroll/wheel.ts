/** The last turn of the wheel: its time, its direction, and how many fast turns came before it. */
export type Wheel = {readonly at: number; readonly direction: -1 | 0 | 1; readonly count: number};

export const stillWheel: Wheel = {at: 0, direction: 0, count: 0};

/** Returns the wheel after one more turn. */
export function turnWheel(wheel: Wheel, direction: -1 | 1, now: number): Wheel {
	const isQuick = direction === wheel.direction && now - wheel.at < quick;
	return {at: now, direction, count: isQuick ? wheel.count + 1 : 0};
}

/** Returns by how many rows a turn scrolls: three, more if turns follow fast, and at most half of the height. */
export function rowsOfTurn({count}: Wheel, height: number): number {
	return Math.max(1, Math.min(Math.floor(height / 2), 3 * Math.min(3, 1 + Math.floor(count / 6))));
}

/** The number of milliseconds within which two turns count as fast. */
const quick = 60;
