import type {Completions} from '../../pod/protocol.ts';
import type {ComposerState} from '../composer/composer-state.ts';
import type {Draft} from '../composer/editor/draft.ts';
import {entryKey, type Entry} from './entries.ts';
import {answered, closed, closedPopup, edited, highlight, isAnswered, moved, type Popup} from './popup.ts';
import {tokenAt} from './token.ts';

/** The popup that completes what is typed, and what the screen showed of it. */
export type CompletionState = {
	readonly popup: Popup;
	/** The draft of the last edit, and how many prompts back in the history it was. */
	readonly draft: Draft | undefined;
	readonly back: number;
	/** Since when an answer is awaited. */
	readonly since: number;
	/** The first entry that the last frame with a popup showed. */
	readonly top: number;
	/** What the last frame showed of what can be picked. */
	readonly seen: SeenEntries | undefined;
};

/** By the keys of the entries, from top to bottom. */
export type SeenEntries = {readonly keys: readonly string[]; readonly highlighted: string | undefined};

export const noCompletion: CompletionState = {
	popup: closedPopup,
	draft: undefined,
	back: 0,
	since: 0,
	top: 0,
	seen: undefined,
};

/** How long an answer may take before the popup says that it waits for one, in milliseconds. */
export const patience = 150;

/**
The draft or its caret has changed. The popup opens when the draft is edited with the caret in or after a token. It
stays closed when the caret only passes by, a prompt is recalled, or (`isSetByProgram`) a draft comes from elsewhere.
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

export function afterAnswer(completion: CompletionState, answer: Completions): CompletionState {
	return withPopup(completion, answered(completion.popup, answer));
}

export function afterHighlight(completion: CompletionState, by: number): CompletionState {
	return withPopup(completion, highlight(completion.popup, by));
}

/** You closed the popup. It opens again for another token. */
export function afterClose(completion: CompletionState): CompletionState {
	return withPopup(completion, closed(completion.popup));
}

/** A frame showed these entries, or no popup. */
export function afterShown(completion: CompletionState, seen: SeenEntries | undefined): CompletionState {
	const {entries} = completion.popup;
	const first = seen === undefined ? -1 : entries.findIndex(entry => entryKey(entry) === seen.keys[0]);
	return {...completion, seen, top: first === -1 ? completion.top : first};
}

/**
The highlighted entry, if you have seen it: it was highlighted in the last frame, or was in it and you moved to it
since. Only that can be picked.
*/
export function pickable({popup, seen}: CompletionState): Entry | undefined {
	const entry = popup.entries[popup.selected];
	if (entry === undefined || seen === undefined) return undefined;
	const key = entryKey(entry);
	return key === seen.highlighted || (popup.moved && seen.keys.includes(key)) ? entry : undefined;
}

/** Whether a popup is open whose query has no answer yet. */
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
