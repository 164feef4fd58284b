import type {Segment} from '../../../pod/protocol.ts';
import type {ActionName, Keymap} from '../keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {atomBefore, insert, isBlank, isEmpty} from '../../editor/draft.ts';
import {addEarlier, addEntry, emptyHistory, leave, step, withAsides, type DraftHistory} from './draft-history.ts';
import {createEditor, edit, isAtEdge, type Editor} from '../../editor/editor.ts';
import type {EditAction} from '../../editor/undo.ts';
import type {Place} from '../../editor/layout.ts';
import {withOwnNumbers} from '../../editor/open-paste.ts';
import {fromSegments, toSegments} from '../../editor/segments.ts';
import {freshVim, recordTyping, type VimState} from '../../editor/vim/vim-state.ts';

/** The current draft, the held draft and earlier submissions. */
export type ComposerState = {
	readonly editor: Editor;
	readonly history: DraftHistory;
	/**
	The held draft: inkpod sent it, and its receipt has not arrived yet. If the pod refuses the held draft, its text is
	put back into the current draft.
	*/
	readonly held?: Editor;
	/** The first row of the draft that the last frame showed. */
	readonly top: Place;
	/** The state of the vim keys, if the composer uses vim keys. */
	readonly vim?: VimState;
};

export type ComposerAction =
	| EditAction
	/**
	Texts that you typed one after another. The layout and other values that depend on the draft are updated once for
	all of them.
	*/
	| {readonly type: 'typed'; readonly texts: readonly string[]}
	/** Recalls the previous or the next submission. */
	| {readonly type: 'previous' | 'next'}
	/** The pod accepted or refused the held draft. */
	| {readonly type: 'accepted' | 'refused'}
	/** A submission was committed, so you can recall it. */
	| {readonly type: 'sent'; readonly segments: readonly Segment[]}
	/** The prompts of earlier sessions, oldest first. `recalls`: the latest of these prompts becomes the draft. */
	| {
			readonly type: 'earlier';
			readonly entries: ReadonlyArray<readonly Segment[]>;
			readonly recalls: boolean;
	  }
	/** A queued submission was returned to the composer. It is inserted before the current draft. */
	| {readonly type: 'returned'; readonly segments: readonly Segment[]}
	/** Unsent drafts from an earlier process. The Down key shows them. */
	| {readonly type: 'set aside'; readonly drafts: ReadonlyArray<readonly Segment[]>}
	| {readonly type: 'scrolled'; readonly top: Place};

export function createComposer(columns = 80, hasVim = false): ComposerState {
	const editor = createEditor(columns);
	const state = {editor, history: emptyHistory, top: {line: 0, row: 0}};
	return hasVim ? {...state, vim: freshVim(editor)} : state;
}

/**
Returns the next state of the composer. In the first row, `up` recalls an earlier submission. In the last row, `down`
recalls a later one.
*/
export function compose(state: ComposerState, action: ComposerAction): ComposerState {
	if (isOwn(action)) return composeOwn(state, action);
	const next = withEditor(state, edit(state.editor, action));
	return next.vim === undefined ? next : {...next, vim: recordTyping(next.vim, action, next.editor)};
}

/**
Submits the draft on Enter. If a backslash is before the caret, it is replaced with a newline instead. A held draft
blocks further submissions. `segments` is absent when nothing is sent. It is empty when the draft is blank, because
Enter then has another meaning in the app.
*/
export function submit(state: ComposerState): {readonly state: ComposerState; readonly segments?: readonly Segment[]} {
	const {editor} = state;
	const {draft, cursor, columns, kills} = editor;
	if (atomBefore(draft, cursor) === '\\') {
		return {
			state: withEditor(state, edit(edit(editor, {type: 'erase', to: 'left'}), {type: 'insert', text: '\n'})),
		};
	}
	if (isBlank(draft)) return {state, segments: []};
	if (state.held !== undefined) return {state};
	const fresh = {...createEditor(columns), kills};
	return {
		state: {
			...state,
			editor: fresh,
			held: editor,
			history: leave(state.history),
			top: {line: 0, row: 0},
			...(state.vim && {vim: freshVim(fresh, state.vim)}),
		},
		segments: toSegments(draft),
	};
}

/** Returns the edit that a key makes in the composer. Returns `undefined` for a key that another layer handles. */
export function actionOfKey(key: Key, keymap: Keymap): ComposerAction | undefined {
	const name = keymap.action(key);
	if (name !== undefined) return editOf(name);
	return key.text === undefined ? undefined : {type: 'insert', text: key.text};
}

/** Returns the edit of a keyboard action. */
export function editOf(action: ActionName): ComposerAction | undefined {
	return edits[action];
}

const edits: {readonly [Name in ActionName]?: ComposerAction} = {
	newline: {type: 'insert', text: '\n'},
	up: {type: 'up'},
	down: {type: 'down'},
	left: {type: 'move', to: 'left'},
	right: {type: 'move', to: 'right'},
	'word left': {type: 'move', to: 'word left'},
	'word right': {type: 'move', to: 'word right'},
	'line start': {type: 'move', to: 'line start'},
	'line end': {type: 'move', to: 'line end'},
	'draft start': {type: 'move', to: 'start'},
	'draft end': {type: 'move', to: 'end'},
	'erase left': {type: 'erase', to: 'left'},
	'erase right': {type: 'erase', to: 'right'},
	'erase right or quit': {type: 'erase', to: 'right'},
	'kill word left': {type: 'kill', to: 'word left'},
	'kill word right': {type: 'kill', to: 'word right'},
	'kill to line start': {type: 'kill', to: 'line start'},
	'kill to line end': {type: 'kill', to: 'line end'},
	yank: {type: 'yank'},
	'yank earlier': {type: 'yank earlier'},
	undo: {type: 'undo'},
	redo: {type: 'redo'},
	'previous draft': {type: 'previous'},
	'next draft': {type: 'next'},
};

type OwnAction = Exclude<ComposerAction, EditAction> | Extract<EditAction, {type: 'up' | 'down'}>;
type OwnOf<Type extends OwnAction['type']> = {readonly [Each in Type]: OwnMap[Each] & {readonly type: Each}}[Type];
type OwnMap = {readonly [Each in OwnAction as Each['type']]: Each};

function isOwn(action: ComposerAction): action is OwnAction {
	return action.type in handlers;
}

function composeOwn<Type extends OwnAction['type']>(state: ComposerState, action: OwnOf<Type>): ComposerState {
	const type: Type = action.type;
	return handlers[type](state, action);
}

type Handlers = {
	readonly [Type in OwnAction['type']]: (state: ComposerState, action: OwnOf<Type>) => ComposerState;
};

const handlers: Handlers = {
	up: state =>
		isAtEdge(state.editor, 'up') ? browse(state, -1) : withEditor(state, edit(state.editor, {type: 'up'})),
	down: state =>
		isAtEdge(state.editor, 'down') ? browse(state, 1) : withEditor(state, edit(state.editor, {type: 'down'})),
	typed: (state, {texts}) => texts.reduce((next, text) => compose(next, {type: 'insert', text}), state),
	previous: state => browse(state, -1),
	next: state => browse(state, 1),
	accepted: state => ({...state, held: undefined}),
	refused(state) {
		if (state.held === undefined) return state;
		const {held} = state;
		const rest = {...state, held: undefined};
		if (isEmpty(state.editor.draft))
			return withEditor(rest, {
				...edit(held, {type: 'resize', columns: state.editor.columns}),
				kills: state.editor.kills,
			});
		return prepended(rest, toSegments(held.draft));
	},
	sent: (state, {segments}) => ({...state, history: addEntry(state.history, segments)}),
	earlier(state, {entries, recalls}) {
		const whole = {...state, history: addEarlier(state.history, entries)};
		return recalls ? browse(whole, -1) : whole;
	},
	returned: (state, {segments}) => prepended(state, segments),
	'set aside': (state, {drafts}) => ({...state, history: withAsides(state.history, drafts, state.editor)}),
	scrolled: (state, {top}) => (top.line === state.top.line && top.row === state.top.row ? state : {...state, top}),
};

function browse(state: ComposerState, by: -1 | 1): ComposerState {
	const found = step(state.history, state.editor, by);
	return found === undefined ? state : {...state, ...found, top: {line: 0, row: 0}};
}

/** Inserts segments on their own lines before the draft. The caret stays at the same text. */
function prepended(state: ComposerState, segments: readonly Segment[]): ComposerState {
	const {editor} = state;
	const before = withOwnNumbers(fromSegments(segments), editor.draft);
	if (isEmpty(editor.draft)) return withEditor(state, edit(editor, {type: 'replace', segments}));
	const {draft} = insert(before.concat([[]]), {line: before.length, column: 0}, editor.draft);
	const replaced = edit(editor, {type: 'replace', segments: toSegments(draft)});
	return withEditor(state, {
		...replaced,
		draft,
		cursor: {line: editor.cursor.line + before.length, column: editor.cursor.column},
		undo: replaced.undo,
	});
}

function withEditor(state: ComposerState, editor: Editor): ComposerState {
	return editor === state.editor ? state : {...state, editor};
}
