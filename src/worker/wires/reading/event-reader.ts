/**
Prepares the events of one wire before the provider package reads them. The package validates strictly: one unknown
field would end a valid answer. So a reader passes on only the fields that inkpod uses, with their right types, and
notes everything else that must not be lost.
*/
export type EventReader = {
	/**
	Returns the events to pass on for this one, in order. `event` is any JSON value that a server sent; `undefined` if
	it is not valid JSON.
	*/
	read(event: unknown): readonly unknown[];
	/**
	Returns the events of a whole answer that came as one JSON value and not as a stream. Returns `undefined` if the
	value is not an answer.
	*/
	readWhole(answer: unknown): readonly unknown[] | undefined;
	/**
	Returns the events to add where the stream ends, such as a finish that the server left out. `isDone`: whether the
	server sent `[DONE]`. This is not called for a stream that broke.
	*/
	end(isDone: boolean): readonly unknown[];
	/** Returns the text that an event passed on adds to its part, if it has nothing else. */
	readonly addedText?: (event: unknown) => AddedText | undefined;
};

/** The text of an event. */
export type AddedText = {
	/** The part and the field of the text. Consecutive texts with the same place are joined. */
	readonly place: string;
	readonly text: string;
	/** Returns the event with another text. */
	readonly event: (text: string) => unknown;
};
