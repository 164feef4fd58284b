import type {AnswerNotes, UnreadPart} from './answer-notes.ts';
import {isObject} from './fields.ts';
import {unreadData} from './plain-copy.ts';

/**
Returns a part that cannot be read, with its content as JSON. The part always follows the answer, so that its place does
not depend on how the stream was split.
*/
export function unreadPart(type: string, content: unknown): UnreadPart {
	const data = unreadData(content);
	return {type, ...(data !== undefined && {data}), isLast: true};
}

/**
Returns the notes about an answer with a limit for parts that cannot be read. Parts beyond the limit are only counted.
*/
export function withUnreadLimit(notes: AnswerNotes): AnswerNotes {
	let count = 0;
	return {
		...notes,
		addUnread(part) {
			count += 1;
			if (count <= maxParts) notes.addUnread(part);
			else notes.countPart();
		},
	};
}

/** Tells whether an object contains more than its type and its position. */
export function hasContent(value: unknown): boolean {
	return isObject(value) && Object.entries(value).some(([name, field]) => !plain.has(name) && !isEmpty(field));
}

/** Collects pieces of unknown types. The pieces of one type become one part. */
export type Leftovers = {
	add(type: string, piece: unknown): void;
	/** Adds the collected parts to the notes about the answer. */
	flush(): void;
};

export function createLeftovers(notes: AnswerNotes): Leftovers {
	const texts = new Map<string, string>();
	return {
		add(type, piece) {
			const known = texts.get(type) ?? '';
			if (known.length >= maxBytes || (known === '' && texts.size >= maxTypes)) return;
			const text = typeof piece === 'string' ? piece : (unreadData(piece) ?? '');
			if (text !== '') texts.set(type, known + text);
		},
		flush() {
			for (const [type, text] of texts) notes.addUnread(unreadPart(type, text));
			texts.clear();
		},
	};
}

const maxBytes = 64 * 1024;
const maxTypes = 32;
/** The maximum number of parts that cannot be read in one answer. Real answers have far fewer. */
const maxParts = 1000;

/** The fields that give the type and the position of a part. */
const plain: ReadonlySet<string> = new Set(['type', 'index', 'id', 'item_id', 'output_index', 'status']);

function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}
