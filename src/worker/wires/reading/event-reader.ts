import type {Usage} from '../../history/item.ts';
import type {AnswerEvent} from './answer-event.ts';

/**
Reads the events of one wire. Servers send unknown fields and wrong types, which must not end a valid answer. So a
reader reads only the fields that inkpod uses, and notes all other data that must not be lost.
*/
export type EventReader = {
	/** `event` is any JSON value that a server sent, or `undefined` if the server sent invalid JSON. */
	read(event: unknown): readonly AnswerEvent[];
	/** Reads a whole answer that came as one JSON value. Returns `undefined` if the value is not an answer. */
	readWhole(answer: unknown): readonly AnswerEvent[] | undefined;
	/**
	Returns the events to add at the end of the stream, such as a finish that the server left out. `isDone`: whether the
	server sent `[DONE]`. This function is not called if the connection broke.
	*/
	end(isDone: boolean): readonly AnswerEvent[];
	/** Returns the token counts that the server has already sent. A server may send them after an error. */
	usage(): Usage;
};
