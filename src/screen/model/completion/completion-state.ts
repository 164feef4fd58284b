import type {Completions} from '../../../pod/protocol.ts';
import type {ComposerState} from '../composer/composer-state.ts';
import type {Draft} from '../../editor/draft.ts';
import {entryKey, type Entry} from './entries.ts';
import {answered, closed, closedPopup, edited, highlight, isAnswered, moved, type Popup} from './popup.ts';
import {tokenAt} from './token.ts';

/** The popup, and the entries that the last frame showed. */
export type CompletionState = {
	readonly popup: Popup;
	/** The draft after the last edit. `back` is the number of prompts back in the history at which it was. */
	readonly draft: Draft | undefined;
	readonly back: number;
	/** The time since which the popup has been waiting for an answer. */
	readonly since: number;
	/** The first entry that the last frame with a popup showed. */
	readonly top: number;
	/** The entries that the last frame showed. */
	readonly seen: SeenEntries | undefined;
};

/** `keys` are the keys of the entries, from top to bottom. */
export type SeenEntries = {readonly keys: readonly string[]; readonly highlighted: string | undefined};

export type CompletionAction =
	/** The pod answered the popup's query. */
	| {readonly type: 'completions came'; readonly answer: Completions}
	| {readonly type: 'highlight completion'; readonly by: number}
	/** Closes the popup at your request. It opens again for another token. */
	| {readonly type: 'close completion'}
	/** A frame showed these entries of the popup, or no popup at all. */
	| {readonly type: 'completion shown'; readonly seen: SeenEntries | undefined};

export const noCompletion: CompletionState = {
	popup: closedPopup,
	draft: undefined,
	back: 0,
	since: 0,
	top: 0,
	seen: undefined,
};

/** The number of milliseconds without an answer after which the popup shows a note. */
export const patience = 150;

export function reduceCompletion(completion: CompletionState, action: CompletionAction): CompletionState {
	const {popup} = completion;
	switch (action.type) {
		case 'completions came':
			return withPopup(completion, answered(popup, action.answer));
		case 'highlight completion':
			return withPopup(completion, highlight(popup, action.by));
		case 'close completion':
			return withPopup(completion, closed(popup));
		case 'completion shown':
			return withSeen(completion, action.seen);
		default:
			return action satisfies never;
	}
}

/**
Updates the popup after the draft or its caret changed. The popup opens when you edit with the caret in or after a
token. It stays closed when the caret only moves, when you recall a prompt, or when a program sets the draft
(`isSetByProgram`).
*/
export function afterEdit(
	completion: CompletionState,
	composer: ComposerState,
	isSetByProgram: boolean,
	now: number,
): CompletionState {
	const {popup: before, seen, since} = completion;
	const {
		editor: {draft},
		history,
	} = composer;
	const back = history.entries.length - history.at;
	const popup = isSetByProgram && before.token === undefined ? closedPopup : followed(completion, composer, back);
	if (popup === before && draft === completion.draft && back === completion.back) return completion;
	const waitsAnew = isAnswered(before) && !isAnswered(popup);
	return {
		...completion,
		popup,
		draft,
		back,
		seen: popup.token === undefined ? undefined : seen,
		since: waitsAnew ? now : since,
	};
}

/** Records the entries of the last frame, or that it had no popup. */
function withSeen(completion: CompletionState, seen: SeenEntries | undefined): CompletionState {
	const {entries} = completion.popup;
	const first = seen === undefined ? -1 : entries.findIndex(entry => entryKey(entry) === seen.keys[0]);
	return {...completion, seen, top: first === -1 ? completion.top : first};
}

/**
Returns the highlighted entry if you have seen it. This is the case if the last frame highlighted it, or if it was
visible and you have moved to it since. No other entry can be picked.
*/
export function pickable({popup, seen}: CompletionState): Entry | undefined {
	const entry = popup.entries[popup.selected];
	if (entry === undefined || seen === undefined) return undefined;
	const key = entryKey(entry);
	return key === seen.highlighted || (popup.moved && seen.keys.includes(key)) ? entry : undefined;
}

/** Tells whether the popup is open without an answer to its query. */
export function isWaiting({popup}: CompletionState): boolean {
	return popup.token !== undefined && !isAnswered(popup);
}

function followed({popup, draft, back}: CompletionState, {editor}: ComposerState, nextBack: number): Popup {
	const token = tokenAt(editor.draft, editor.cursor);
	if (editor.draft === draft) return moved(popup, token);
	const next = edited(popup, token);
	return nextBack === back ? next : closed(next);
}

function withPopup(completion: CompletionState, popup: Popup): CompletionState {
	if (popup === completion.popup) return completion;
	return {...completion, popup, seen: popup.token === undefined ? undefined : completion.seen};
}
