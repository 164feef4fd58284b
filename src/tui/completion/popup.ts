import type {CompletionQuery, Completions} from '../../pod/protocol.ts';
import {type Position, isSame} from '../composer/editor/draft.ts';
import {askedText, entriesFor, isSameEntry, isSameQuery, nameOf, type Entry} from './entries.ts';
import type {Token} from './token.ts';

/** A popup, open while it has a token. Immutable. */
export type Popup = {
	readonly token: Token | undefined;
	/** Where the token starts that you closed it for. */
	readonly closedAt?: Position | undefined;
	/** The latest answer to a query of this token. */
	readonly answer?: Completions | undefined;
	/** What can be picked, best first. */
	readonly entries: readonly Entry[];
	/** The highlighted entry. */
	readonly selected: number;
	/** Whether you moved the highlight there. */
	readonly moved: boolean;
};

export const closedPopup: Popup = {token: undefined, entries: [], selected: 0, moved: false};

/** The draft was changed: the popup opens for the token at the caret, unless you closed it for that one. */
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

/** Only the caret was moved: an open popup follows it inside its token and closes outside of it. No popup opens. */
export function moved(popup: Popup, token: Token | undefined): Popup {
	if (popup.token === undefined) return popup;
	return isOf(token, popup.token) ? edited(popup, token) : {...closedPopup, closedAt: popup.closedAt};
}

/** The popup is closed for this token, until another one is written. */
export function closed(popup: Popup): Popup {
	return {...closedPopup, closedAt: popup.token?.start};
}

/**
An answer came. An answer to an earlier query changes nothing. The highlight is on the best match, or where you moved
it.
*/
export function answered(popup: Popup, answer: Completions): Popup {
	if (!isSameQuery(answer.query, queryOf(popup))) return popup;
	return refreshed({...popup, answer}, popup.moved);
}

/** Moves the highlight: by one it goes round, by more it stops at the ends. */
export function highlight(popup: Popup, by: number): Popup {
	const {length} = popup.entries;
	const to = popup.selected + by;
	const selected = Math.abs(by) === 1 ? (to + length) % length : Math.max(0, Math.min(length - 1, to));
	return {...popup, selected, moved: true};
}

/** What is to be asked of the pod for an open popup. */
export function queryOf({token}: Popup): CompletionQuery | undefined {
	return token && {kind: token.kind === 'path' ? 'path' : 'workflow', text: askedText(token), limit};
}

/** Whether the pod has answered the present query. */
export function isAnswered(popup: Popup): boolean {
	return isSameQuery(popup.answer?.query, queryOf(popup));
}

/** Whether an entry says nothing more than is written already. */
export function isWritten({token}: Popup, entry: Entry): boolean {
	return token?.text === nameOf(entry);
}

const limit = 50;

function isOf(token: Token | undefined, other: Token | undefined): boolean {
	return token !== undefined && other !== undefined && token.kind === other.kind && isSame(token.start, other.start);
}

/**
Finds the entries anew. The highlight stays on what it was on, or goes to what is written out in full, or to the first.
*/
function refreshed(popup: Popup, stays: boolean): Popup {
	const {token, answer} = popup;
	const entries = token === undefined ? [] : entriesFor(token, answer);
	const kept = stays ? entries.findIndex(entry => isSameEntry(entry, popup.entries[popup.selected])) : -1;
	const written = entries.findIndex(entry => nameOf(entry) === token?.text);
	return {...popup, entries, selected: Math.max(0, kept === -1 ? written : kept), moved: kept !== -1 && popup.moved};
}
