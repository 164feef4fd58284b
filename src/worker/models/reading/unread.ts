import type {AnswerNotes, UnreadPart} from './answer-notes.ts';
import {isObject} from './fields.ts';
import {unreadData} from './plain-copy.ts';

/** A part that cannot be read, with its content as JSON. It follows the answer, however the stream was split. */
export function unreadPart(type: string, content: unknown): UnreadPart {
	const data = unreadData(content);
	return {type, ...(data !== undefined && {data}), isLast: true};
}

/** The notes of an answer, with a limit of its unread parts. */
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

/** Whether an object contains more than its type and its place. */
export function hasContent(value: unknown): boolean {
	return isObject(value) && Object.entries(value).some(([name, field]) => !plain.has(name) && !isEmpty(field));
}

/** Pieces of unknown types. The pieces of one type become one unread part. */
export type Leftovers = {
	add(type: string, piece: unknown): void;
	/** Adds the parts to the notes of the answer. */
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
/** Far more than a model's tools leave in one answer. */
const maxParts = 1000;

/** The fields that say what and where a part is. */
const plain: ReadonlySet<string> = new Set(['type', 'index', 'id', 'item_id', 'output_index', 'status']);

function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}
