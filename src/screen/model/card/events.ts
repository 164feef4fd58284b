import type {QuestionAnswer} from '../../../pod/protocol.ts';

/** The meanings of a key on a card. `edit` changes the draft without typing. Other layers handle `other`. */
export type CardKey =
	| {readonly kind: 'digit'; readonly digit: number; readonly text: string}
	| {readonly kind: 'text' | 'enter' | 'escape' | 'previous' | 'next' | 'edit' | 'other'};

/**
`alone` and `bare` are as in `Arrival`. `isHeld`: the key is held down. `draft`: the draft has changed.
`isSetByProgram`: the change was not made by a key in this composer. `hidden`: another program has the terminal.
`refused`: the answer did not arrive. `part`: the beginning of a key or report has arrived. `late`: the previous Escape
key was the beginning of a sequence.
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
	/**
	Answers with a choice. `withReason`: the draft is sent, too, and becomes empty. `answers` are those to the questions
	of a card, and then `reason` is the text that is sent beside them.
	*/
	| {
			readonly type: 'answer';
			readonly choice: string;
			readonly withReason: boolean;
			readonly answers?: readonly QuestionAnswer[];
			readonly reason?: string;
	  }
	/** Empties the draft, whose text became the answer to a question. */
	| {readonly type: 'clear'}
	/** Types this text into the draft, before the key or paste itself. */
	| {readonly type: 'type'; readonly text: string}
	/** Sends the key or paste to the draft. */
	| {readonly type: 'edit'}
	/** Sends the draft as a message. */
	| {readonly type: 'submit'}
	/** Passes the key to the next layer. */
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
