import type {QuestionAnswer} from '../../../pod/protocol.ts';

/**
The meanings of a key on a card. `more` shows more choices, and `less` hides them again. `edit` changes the draft, but
types no text. Other key layers handle `other`.
*/
export type CardKey =
	| {readonly kind: 'digit'; readonly digit: number; readonly text: string}
	| {readonly kind: 'text' | 'enter' | 'escape' | 'previous' | 'next' | 'more' | 'less' | 'edit' | 'other'};

/**
`alone` and `bare` are as in `Arrival`. `isHeld`: the user holds the key down. `draft`: the draft has changed.
`isSetByProgram`: inkpod itself changed the draft, not a key in this composer. `hidden`: another program uses the
terminal. `seen`: the screen has shown the end of the detail. `refused`: the answer did not reach the pod. `part`: the
first bytes of an escape sequence have arrived. `late`: the previous Esc was the beginning of an escape sequence.
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
	Answers with a choice. `withReason`: the draft is also sent, and becomes empty. `answers` are the answers to the
	questions of a card. `reason` is the text that is sent with these answers.
	*/
	| {
			readonly type: 'answer';
			readonly choice: string;
			readonly withReason: boolean;
			readonly answers?: readonly QuestionAnswer[];
			readonly reason?: string;
	  }
	/** Empties the draft, because its text was the answer to a question. */
	| {readonly type: 'clear'}
	/** Types this text into the draft, before the key or paste itself. */
	| {readonly type: 'type'; readonly text: string}
	/** Sends the key or paste to the draft. */
	| {readonly type: 'edit'}
	/** Sends the draft as a message. */
	| {readonly type: 'submit'}
	/** Stops the turn. */
	| {readonly type: 'stop'}
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
