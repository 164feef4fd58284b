import {monotonicFactory} from 'ulid';
import type {Draft, Item, ItemType} from './item.ts';

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

/** Gives a draft its id and time. */
export function stamp<Type extends ItemType>(clock: Clock, draft: Draft<Type>): Extract<Item, {type: Type}> {
	return {id: clock.id(), at: isoTime(clock.now()), ...draft} as unknown as Extract<Item, {type: Type}>;
}

export function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}
