import {monotonicFactory} from 'ulid';
import type {Draft, ItemOf} from './item.ts';

/** Where ids and times come from, so that a test can say what they are. */
export type Clock = {
	/** A new id, unique and greater than every earlier one of this clock. */
	readonly id: () => string;
	/** Milliseconds since the epoch. */
	readonly now: () => number;
};

export function systemClock(): Clock {
	const next = monotonicFactory();
	return {id: () => next(), now: () => Date.now()};
}

/** Gives a draft its time, and its id unless it has one already. */
export function stamp<D extends Draft>(clock: Clock, draft: D, id: string = clock.id()): ItemOf<D['type']> {
	return {id, at: isoTime(clock.now()), ...draft} as unknown as ItemOf<D['type']>;
}

/** How long it took, in milliseconds: no time at all when the clock was set back meanwhile. */
export function elapsed(clock: Pick<Clock, 'now'>, since: number): number {
	return Math.max(0, clock.now() - since);
}

export function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}
