import type {Query} from '../search/query.ts';

/** The card that is on the screen, as the person has it. Times are the app's milliseconds. */
export type Card = {
	/** Of the ask. */
	readonly id: string;
	/** Since when no key has typed, and how long that must last before one answers: till then the person is writing something else. */
	readonly since: number;
	readonly rest: number;
	/** How far the detail is scrolled, in rows. */
	readonly scroll: number;
	/** Whether the end of the detail has been on the screen: before, nothing says yes. */
	readonly seen: boolean;
	/** What is written to go with a choice; `open` while it takes the keys. */
	readonly reason?: {readonly choice: string; readonly text: Query; readonly open: boolean};
};

/** Milliseconds without a key that a card needs from its appearance on, and after something was typed into the draft under it. */
export const answerDelay = 400;
export const typingDelay = 1500;

export function newCard(id: string, now: number): Card {
	return {id, since: now, rest: answerDelay, scroll: 0, seen: false};
}

/** Whether a key that is an answer's is one, and not a letter of the draft. */
export function isListening({since, rest}: Card, now: number): boolean {
	return now - since >= rest;
}
