import {isSlipOf, type Completions, type CompletionQuery, type Match} from '../../../pod/protocol.ts';
import type {ComposerState} from '../composer/composer-state.ts';
import {type Draft, type Position, isSame} from '../../editor/draft.ts';
import {tokenAt, type Token} from './token.ts';
import {commandNamed, commandNames, commands, type Command, type CommandName} from '../commands/commands.ts';

/** The popup, and the facts about the popup that `Popup` does not contain. */
export type CompletionState = {
	readonly popup: Popup;
	/**
	The draft after the last edit. `back` is the distance of this draft from the newest one in the prompt history.
	*/
	readonly draft: Draft | undefined;
	readonly back: number;
	/** The time when the popup began to wait for an answer. */
	readonly since: number;
	/** The index of the first entry that the last frame with a popup showed. */
	readonly top: number;
	/** The entries that the last frame showed. */
	readonly seen: SeenEntries | undefined;
};

/** `keys` are the entry keys of the visible entries, from top to bottom. */
export type SeenEntries = {readonly keys: readonly string[]; readonly highlighted: string | undefined};

export type CompletionAction =
	/** The pod answered the popup's query. */
	| {readonly type: 'completions came'; readonly answer: Completions}
	/** The pod returned the names of the commands and workflows that you use, the most used one first. */
	| {readonly type: 'used names came'; readonly names: readonly string[]}
	| {readonly type: 'highlight completion'; readonly by: number}
	/** Closes the popup at your request. The popup opens again when you edit another token. */
	| {readonly type: 'close completion'}
	/** A frame showed these entries of the popup, or no popup at all. */
	| {readonly type: 'completion shown'; readonly seen: SeenEntries | undefined};

const limit = 50;

export const closedPopup: Popup = {token: undefined, used: [], entries: [], selected: 0, moved: false};

export const noCompletion: CompletionState = {
	popup: closedPopup,
	draft: undefined,
	back: 0,
	since: 0,
	top: 0,
	seen: undefined,
};

/** After this number of milliseconds without an answer, the popup shows a note. */
export const patience = 150;

export function reduceCompletion(completion: CompletionState, action: CompletionAction): CompletionState {
	const {popup} = completion;
	switch (action.type) {
		case 'completions came':
			return withPopup(completion, answered(popup, action.answer));
		case 'used names came':
			return withPopup(completion, refreshed({...popup, used: action.names}, popup.moved));
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
token. It stays closed when the caret only moves, when you recall a prompt, or when inkpod itself sets the draft
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
	const popup = isSetByProgram && before.token === undefined ? shut(before) : followed(completion, composer, back);
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

/** Records the entries of the last frame, or that the frame had no popup. */
function withSeen(completion: CompletionState, seen: SeenEntries | undefined): CompletionState {
	const {entries} = completion.popup;
	const first = seen === undefined ? -1 : entries.findIndex(entry => entryKey(entry) === seen.keys[0]);
	return {...completion, seen, top: first === -1 ? completion.top : first};
}

/**
Returns the highlighted entry if you have seen it: the last frame highlighted this entry, or showed it before you moved
the highlight to it. No other entry can be picked.
*/
export function pickable({popup, seen}: CompletionState): Entry | undefined {
	const entry = popup.entries[popup.selected];
	if (entry === undefined || seen === undefined) return undefined;
	const key = entryKey(entry);
	return key === seen.highlighted || (popup.moved && seen.keys.includes(key)) ? entry : undefined;
}

/** Tells whether the popup is open and its query has no answer yet. */
export function isWaiting({popup}: CompletionState): boolean {
	return popup.token !== undefined && !isAnswered(popup);
}

/** The immutable state of the popup. The popup is open while it has a token. */
export type Popup = {
	readonly token: Token | undefined;
	/** The start of the token for which you closed the popup. */
	readonly closedAt?: Position | undefined;
	/** The latest answer to a query for this token. */
	readonly answer?: Completions | undefined;
	/** The names of the commands and workflows that you use, the most used one first. */
	readonly used: readonly string[];
	/** The entries that can be picked. The best entry is first. */
	readonly entries: readonly Entry[];
	/** The index of the highlighted entry. */
	readonly selected: number;
	/** Whether you moved the highlight to the highlighted entry. */
	readonly moved: boolean;
};

/** Opens the popup for the token at the caret after an edit, unless you closed it for that token. */
export function edited(popup: Popup, token: Token | undefined): Popup {
	const closedAt =
		token !== undefined && popup.closedAt !== undefined && isSame(token.start, popup.closedAt)
			? popup.closedAt
			: undefined;
	if (token === undefined || closedAt !== undefined) return shut(popup, closedAt);
	const known = isOf(token, popup.token);
	return refreshed(
		{...popup, token, closedAt, answer: known ? popup.answer : undefined},
		known && token.text === popup.token?.text,
	);
}

/**
Adds an answer to the popup. An answer to an earlier query changes nothing. The highlight stays on the entry to which
you moved it. If you have not moved it, it is on the best entry.
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

/** Tells whether the token already has the name of this entry, so that picking it would change nothing. */
export function isWritten({token}: Popup, entry: Entry): boolean {
	return token?.text === nameOf(entry);
}

/**
An entry that can be picked. `marks` are the code units of its name that match your text. `isNear`: your text has a
typing error.
*/
export type Entry =
	| Match
	| {
			readonly type: 'command';
			readonly name: CommandName;
			readonly marks: readonly number[];
			readonly isNear?: true;
	  };

/** Returns the full name of an entry. A token with this text is a full match. */
export function nameOf(entry: Entry): string {
	return entry.type === 'path' ? entry.path : entry.type === 'workflow' ? entry.slug : entry.name;
}

/** Returns a key that is unique among entries and rows. */
export function entryKey(entry: Entry): string {
	return `${keyStart}${entry.type}:${nameOf(entry)}`;
}

/** Tells whether a row's key belongs to an entry. */
export function isEntryKey(key: string): boolean {
	return key.startsWith(keyStart);
}

export function commandOf(name: CommandName): Command {
	return commands[name];
}

/** Tells whether two queries have the same kind and text. */
export function isSameQuery(one: Completions['query'] | undefined, other: Completions['query'] | undefined): boolean {
	return one?.kind === other?.kind && one?.text === other?.text;
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

/** Updates the popup after the caret moved without an edit. An open popup closes when the caret leaves its token. */
function moved(popup: Popup, token: Token | undefined): Popup {
	if (popup.token === undefined) return popup;
	return isOf(token, popup.token) ? edited(popup, token) : shut(popup, popup.closedAt);
}

/** Closes the popup. The popup stays closed for this token, and opens again for another token. */
function closed(popup: Popup): Popup {
	return shut(popup, popup.token?.start);
}

/** Returns a closed popup that keeps the list of the most used names. */
function shut({used}: Popup, closedAt?: Position): Popup {
	return {...closedPopup, used, closedAt};
}

function isOf(token: Token | undefined, other: Token | undefined): boolean {
	return token !== undefined && other !== undefined && token.kind === other.kind && isSame(token.start, other.start);
}

/**
Updates the entries. With `stays`, the highlight stays on its entry if that entry is still in the list. Otherwise it
moves to a full match, or to the first entry.
*/
function refreshed(popup: Popup, stays: boolean): Popup {
	const {token, answer, used} = popup;
	const entries = token === undefined ? [] : entriesFor(token, answer, used);
	const kept = stays ? entries.findIndex(entry => isSameEntry(entry, popup.entries[popup.selected])) : -1;
	const written = entries.findIndex(entry => nameOf(entry) === token?.text);
	return {...popup, entries, selected: Math.max(0, kept === -1 ? written : kept), moved: kept !== -1 && popup.moved};
}

const keyStart = 'completion:';

function isSameEntry(one: Entry | undefined, other: Entry | undefined): boolean {
	return one !== undefined && other !== undefined && one.type === other.type && nameOf(one) === nameOf(other);
}

/**
Returns the entries for a token. The best entries come first. Among equally good entries, those that you use most come
first. The entries come from the commands and from the pod's latest answer. If the latest answer belongs to another
query, only its entries that match this query are returned.
*/
function entriesFor(token: Token, answer: Completions | undefined, used: readonly string[]): readonly Entry[] {
	const wanted = token.kind === 'path' ? 'path' : 'workflow';
	const answered = answer?.query.kind === wanted ? answer.matches.filter(match => match.type === wanted) : [];
	const found =
		answer?.query.text === askedText(token) ? answered : answered.filter(match => fits(token.text, nameOf(match)));
	if (token.kind === 'path') return found;
	const names = new Set<string>(commandNames);
	const all: readonly Entry[] =
		token.kind === 'workflow'
			? found
			: [...commandEntries(token.text), ...found.filter(match => !names.has(nameOf(match)))];
	const places = new Map(used.map((name, place) => [name, place]));
	const place = (entry: Entry) => places.get(nameOf(entry)) ?? used.length;
	return all.toSorted((one, other) => rank(one, token.text) - rank(other, token.text) || place(one) - place(other));
}

/**
Returns the commands that match the query. If no command matches, returns the commands that you may have mistyped.
*/
function commandEntries(query: string): readonly Entry[] {
	const own = commandNames.flatMap(name => commandEntry(name, query) ?? []);
	if (own.length > 0) return own;
	const near = commandNames.filter(name => isSlipOf(query.toLowerCase(), name));
	return near.map(name => ({type: 'command', name, marks: [], isNear: true}));
}

/**
Returns the query text for a token. The text is quoted if the pod would treat its quotes or backslashes as syntax.
*/
function askedText({kind, text}: Token): string {
	return kind === 'path' && /^"|\\./u.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}` : text;
}

/**
Returns the entry of a command if the query matches the beginning of a word in its name. This match is strict because a
picked command runs immediately.
*/
function commandEntry(name: CommandName, query: string): Entry | undefined {
	const at = [...name.matchAll(/(?:^|-)/g)]
		.map(found => found.index + found[0].length)
		.find(index => name.startsWith(query.toLowerCase(), index));
	return at === undefined
		? undefined
		: {type: 'command', name, marks: Array.from({length: query.length}, (_, index) => at + index)};
}

/**
Returns the rank of a command entry. Full matches rank first, then prefixes, then all other entries. The short name of a
command is a full match, too.
*/
function rank(entry: Entry, query: string): number {
	const name = nameOf(entry);
	const isFull = name === query || (entry.type === 'command' && commandNamed(query) === name);
	return isFull ? 0 : name.startsWith(query) ? 1 : 2;
}

/** Tells whether a name contains the letters of a query in order. */
function fits(query: string, name: string): boolean {
	const lower = name.toLowerCase();
	let at = 0;
	for (const letter of query.toLowerCase().replaceAll(/\s/g, '')) {
		at = lower.indexOf(letter, at) + letter.length;
		if (at < letter.length) return false;
	}
	return true;
}
