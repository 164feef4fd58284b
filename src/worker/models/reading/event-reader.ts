/**
Prepares the events of one wire before the provider package reads them. The package validates strictly: one unknown
field would end a good answer. So a reader passes on only the fields that inkpod uses, with their right types, and notes
everything else that must not be lost.
*/
export type EventReader = {
	/**
	The events to pass on for this one, in order. `event` is any JSON value that a server sent;
	`undefined` if it is not valid JSON.
	*/
	read(event: unknown): readonly unknown[];
	/** The events of a whole answer that came as one JSON value instead of a stream. `undefined`: it is not an answer. */
	readWhole(answer: unknown): readonly unknown[] | undefined;
	/**
	The events to add where the stream ends, such as a finish that the server left out. `isDone`: the server sent `[DONE]`.
	Not called for a stream that broke.
	*/
	end(isDone: boolean): readonly unknown[];
};
