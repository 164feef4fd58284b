import type {AnswerNotes} from './answer-notes.ts';
import {textIn} from './fields.ts';

/** A source that an answer cites, in the same form for all wires. Citations are shown but never sent. */
export type Citation = {readonly title?: string; readonly url?: string; readonly text?: string};

/** Collects the citations of each text of an answer. Each source is listed once per text. */
export type Citations = {
	/** Begins the next text. */
	begin(): void;
	/** Adds a citation to the text that began last. */
	add(citation: Citation): void;
};

export function createCitations(notes: AnswerNotes): Citations {
	const known = new Set<string>();
	return {
		begin() {
			known.clear();
			notes.begin('text');
		},
		add(citation) {
			const key = JSON.stringify([citation.url, citation.title]);
			if (known.has(key) || known.size >= maxCitations) return;
			known.add(key);
			notes.keep('text', {citations: [citation]});
		},
	};
}

/** Returns the citation in an object of any of the known forms. Returns `undefined` if the object names no source. */
export function citationOf(value: unknown): Citation | undefined {
	const title = cut(textIn(value, 'title', 'filename', 'document_title', 'file_id', 'name'));
	const url = cut(textIn(value, 'url', 'uri', 'sourceUri', 'retrievedUrl'));
	const text = cut(textIn(value, 'cited_text', 'text', 'quote'));
	if (title === undefined && url === undefined) return undefined;
	return {...(title !== undefined && {title}), ...(url !== undefined && {url}), ...(text !== undefined && {text})};
}

const maxCitations = 500;
const maxText = 2000;

function cut(text: string | undefined): string | undefined {
	return text === undefined || text.length <= maxText ? text : `${text.slice(0, maxText).toWellFormed()}…`;
}
