import {monotonicFactory} from 'ulid';
import type {Draft, Item, ItemOf} from './item.ts';

/** Creates ids and times. Tests supply their own. */
export type Clock = {
	/** Returns a new id, which is unique and greater than every earlier id of this clock. */
	readonly id: () => string;
	/** Returns the milliseconds since the epoch. */
	readonly now: () => number;
};

export function systemClock(): Clock {
	const next = monotonicFactory();
	return {id: () => next(), now: () => Date.now()};
}

/** Adds the time to a draft, and an id unless one is given. */
export function stamp<D extends Draft>(clock: Clock, draft: D, id?: string): ItemOf<D['type']>;
export function stamp(clock: Clock, draft: Draft, id: string = clock.id()): Item {
	return {id, at: isoTime(clock.now()), ...draft};
}

/** Returns the milliseconds since a moment, or 0 when the clock was set back meanwhile. */
export function elapsed(clock: Pick<Clock, 'now'>, since: number): number {
	return Math.max(0, clock.now() - since);
}

export function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}
