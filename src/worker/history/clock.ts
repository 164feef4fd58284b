import {getRandomValues} from 'node:crypto';
import {monotonicFactory} from 'ulid';
import type {Draft, Item, ItemOf} from './item.ts';

/** Provides ids and times. Tests supply their own clock. */
export type Clock = {
	/** Returns a new id, which is unique and greater than every earlier id of this clock. */
	readonly id: () => string;
	/** Returns the milliseconds since the epoch. */
	readonly now: () => number;
	/**
	Returns milliseconds that never decrease, even if the time of day changes. All processes on the machine share this
	clock. If this function is absent, `now` is used.
	*/
	readonly ticks?: () => number;
};

export function systemClock(): Clock {
	const next = monotonicFactory(createRandom());
	return {id: () => next(), now: () => Date.now(), ticks: () => Number(process.hrtime.bigint() / 1000n) / 1000};
}

/**
Returns a function that returns random numbers in [0, 1). The function fetches 1,024 random bytes in one call, because
fetching each byte separately would take longer than all other steps of creating an id.
*/
function createRandom(): () => number {
	const bytes = new Uint8Array(1024);
	let at = bytes.length;
	return () => {
		if (at === bytes.length) {
			getRandomValues(bytes);
			at = 0;
		}
		return (bytes[at++] ?? 0) / 256;
	};
}

/** Adds the time to a draft, and a new id unless an id is given. */
export function stamp<D extends Draft>(clock: Clock, draft: D, id?: string): ItemOf<D['type']>;
export function stamp(clock: Clock, draft: Draft, id: string = clock.id()): Item {
	return {id, at: isoTime(clock.now()), ...draft};
}

/** Returns the current time in milliseconds, for use with `elapsed`. The result need not be a time of day. */
export function moment({now, ticks}: Pick<Clock, 'now' | 'ticks'>): number {
	return ticks?.() ?? now();
}

/** Returns the whole milliseconds since a moment. Changing the time of day does not affect the result. */
export function elapsed(clock: Pick<Clock, 'now' | 'ticks'>, since: number): number {
	return Math.max(0, Math.round(moment(clock) - since));
}

export function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}

/** Waits for a number of milliseconds, or until the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise<void>(resolve => {
		const done = () => {
			clearTimeout(timer);
			signal.removeEventListener('abort', done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		signal.addEventListener('abort', done);
	});
}
