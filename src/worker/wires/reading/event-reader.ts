import type {Usage} from '../../history/item.ts';
import type {AnswerEvent} from './answer-event.ts';

/**
Reads the events of one wire. Servers send unknown fields and wrong types, and none of that may end a valid answer. So a
reader takes only the fields that inkpod uses, and notes everything else that must not be lost.
*/
export type EventReader = {
	/** `event` is any JSON value that a server sent; `undefined` if it is not valid JSON. */
	read(event: unknown): readonly AnswerEvent[];
	/** Reads a whole answer that came as one JSON value. Returns `undefined` if the value is not an answer. */
	readWhole(answer: unknown): readonly AnswerEvent[] | undefined;
	/**
	Returns the events to add where the stream ends, such as a finish that the server left out. `isDone`: whether the
	server sent `[DONE]`. This is not called for a stream that broke.
	*/
	end(isDone: boolean): readonly AnswerEvent[];
	/** Returns the counts that the server has sent so far. They may follow an error. */
	usage(): Usage;
};
