/** The kind of text in which a search found something. `note`: a message of inkpod, such as an attached file. */
export type HitPlace = 'prompt' | 'answer' | 'thinking' | 'call' | 'output' | 'note' | 'summary' | 'title';

/**
The place in a session where a search found a text, with the words around it. The parts contain no line breaks, and are
untrusted.
*/
export type TextHit = {
	readonly before: string;
	readonly match: string;
	readonly after: string;
	readonly place: HitPlace;
	/** The id of the item with the text. Absent for a waiting message, which is not in the history yet. */
	readonly item?: string;
};
