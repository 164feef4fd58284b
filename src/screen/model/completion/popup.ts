import type {CompletionQuery, Completions} from '../../../pod/protocol.ts';
import {type Position, isSame} from '../../editor/draft.ts';
import {askedText, entriesFor, isSameEntry, isSameQuery, nameOf, type Entry} from './entries.ts';
import type {Token} from './token.ts';

/** A popup, which is open while it has a token. The value is immutable. */
export type Popup = {
	readonly token: Token | undefined;
	/** The start of the token for which you closed the popup. */
	readonly closedAt?: Position | undefined;
	/** The latest answer to a query for this token. */
	readonly answer?: Completions | undefined;
	/** The entries that can be picked. They are sorted with the best first. */
	readonly entries: readonly Entry[];
	/** The index of the highlighted entry. */
	readonly selected: number;
	/** Whether you moved the highlight to this entry. */
	readonly moved: boolean;
};

export const closedPopup: Popup = {token: undefined, entries: [], selected: 0, moved: false};

/** Opens the popup for the token at the caret after an edit, unless you closed it for that token. */
export function edited(popup: Popup, token: Token | undefined): Popup {
	const closedAt =
		token !== undefined && popup.closedAt !== undefined && isSame(token.start, popup.closedAt)
			? popup.closedAt
			: undefined;
	if (token === undefined || closedAt !== undefined) return {...closedPopup, closedAt};
	const known = isOf(token, popup.token);
	return refreshed(
		{...popup, token, closedAt, answer: known ? popup.answer : undefined},
		known && token.text === popup.token?.text,
	);
}

/**
Updates the popup after the caret moved without an edit. An open popup stays inside its token and closes outside. An
open popup stays open inside its token, and closes outside of it.
*/
export function moved(popup: Popup, token: Token | undefined): Popup {
	if (popup.token === undefined) return popup;
	return isOf(token, popup.token) ? edited(popup, token) : {...closedPopup, closedAt: popup.closedAt};
}

/** Closes the popup for this token, until you write another token. */
export function closed(popup: Popup): Popup {
	return {...closedPopup, closedAt: popup.token?.start};
}

/**
Adds an answer to the popup. An answer to an earlier query changes nothing. The highlight is on the best match, or where
you moved it.
*/
export function answered(popup: Popup, answer: Completions): Popup {
	if (!isSameQuery(answer.query, queryOf(popup))) return popup;
	return refreshed({...popup, answer}, popup.moved);
}

/** Moves the highlight. A single step wraps around, while larger steps stop at the ends. */
export function highlight(popup: Popup, by: number): Popup {
	const {length} = popup.entries;
	const to = popup.selected + by;
	const selected = Math.abs(by) === 1 ? (to + length) % length : Math.max(0, Math.min(length - 1, to));
	return {...popup, selected, moved: true};
}

/** Returns the query of an open popup. */
export function queryOf({token}: Popup): CompletionQuery | undefined {
	return token && {kind: token.kind === 'path' ? 'path' : 'workflow', text: askedText(token), limit};
}

/** Tells whether the pod has answered the current query. */
export function isAnswered(popup: Popup): boolean {
	return isSameQuery(popup.answer?.query, queryOf(popup));
}

/** Tells whether picking an entry would change nothing. */
export function isWritten({token}: Popup, entry: Entry): boolean {
	return token?.text === nameOf(entry);
}

const limit = 50;

function isOf(token: Token | undefined, other: Token | undefined): boolean {
	return token !== undefined && other !== undefined && token.kind === other.kind && isSame(token.start, other.start);
}

/** Determines the entries again. The highlight stays on its entry, or goes to a full match or to the first entry. */
function refreshed(popup: Popup, stays: boolean): Popup {
	const {token, answer} = popup;
	const entries = token === undefined ? [] : entriesFor(token, answer);
	const kept = stays ? entries.findIndex(entry => isSameEntry(entry, popup.entries[popup.selected])) : -1;
	const written = entries.findIndex(entry => nameOf(entry) === token?.text);
	return {...popup, entries, selected: Math.max(0, kept === -1 ? written : kept), moved: kept !== -1 && popup.moved};
}
