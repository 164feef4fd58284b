/** What a key means on a card. `edit` changes the draft without typing, `other` is for somebody else. */
export type CardKey =
	| {readonly kind: 'digit'; readonly digit: number; readonly text: string}
	| {readonly kind: 'text' | 'enter' | 'escape' | 'previous' | 'next' | 'edit' | 'other'};

/**
`alone`, `bare`: as in `Arrival`. `isHeld`: the key is held down. `draft`: the draft changed; `isSetByProgram`: not by
a key of this composer. `hidden`: another program has the terminal. `refused`: the answer did not arrive. `part`: the
beginning of a key or report came. `late`: the Escape key before was the beginning of a sequence.
*/
export type AnsweringEvent =
	| KeyEvent
	| {readonly type: 'paste'}
	| {readonly type: 'hidden'}
	| {readonly type: 'seen'}
	| {readonly type: 'refused'}
	| {readonly type: 'late'}
	| {readonly type: 'draft'; readonly isSetByProgram: boolean}
	| {readonly type: 'drawn'; readonly at: number}
	| {readonly type: 'time'; readonly at: number}
	| {readonly type: 'part'; readonly at: number};

export type AnsweringEffect =
	/** Answer with a choice; `withReason`: the draft goes along, and is empty then. */
	| {readonly type: 'answer'; readonly choice: string; readonly withReason: boolean}
	/** This text goes to the draft, before the key or paste itself. */
	| {readonly type: 'type'; readonly text: string}
	/** The key or paste itself goes to the draft. */
	| {readonly type: 'edit'}
	/** The draft goes out as a message. */
	| {readonly type: 'submit'}
	/** The key is for whoever is next. */
	| {readonly type: 'pass'};

export type KeyEvent = {
	readonly type: 'key';
	readonly key: CardKey;
	readonly at: number;
	readonly alone: boolean;
	readonly bare: boolean;
	readonly isHeld: boolean;
};
export type EventOf<Type extends AnsweringEvent['type']> = {
	readonly [Each in Type]: Extract<AnsweringEvent, {readonly type: Each}> & {readonly type: Each};
}[Type];
