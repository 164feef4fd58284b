import {isShort, withNewlines} from './chip.ts';
import type {EditAction, PutAction} from './undo.ts';
import {beginsRange, foldRange} from './chip-range.ts';
import {
	atomBefore,
	draftLine,
	draftOf,
	emptyDraft,
	endOf,
	insert,
	isEmpty,
	isSame,
	origin,
	remove,
	type Draft,
	type Position,
} from './draft.ts';
import {cellsBefore, placeOf, positionAt, stepDown, stepUp, type Place} from './layout.ts';
import {textOfAtom} from './graphemes.ts';
import {beginsWord, move, type Motion} from './motion.ts';
import {nextPaste, opened, partOfPaste, pieceOfPaste, withOwnNumbers} from './open-paste.ts';
import {fromSegments} from './segments.ts';
import {back, emptyUndo, forth, remember, type Undo} from './undo.ts';

/** A draft with its caret. The value is immutable: each action returns the next editor. */
export type Editor = {
	readonly draft: Draft;
	readonly cursor: Position;
	/** The width of a row in cells, including the caret's cell. The actions `up` and `down` move by such rows. */
	readonly columns: number;
	/** The column, in cells, that `up` and `down` try to keep. */
	readonly goal?: number;
	/** The kind of the last action, if the next action may continue it. */
	readonly last?: 'type' | 'erase' | 'kill' | 'yank';
	/**
	The position after the space that picking a file inserted. It is set only while you keep typing. If you type a range
	there, the range replaces the space.
	*/
	readonly spaced?: Position;
	readonly undo: Undo;
	/** The killed pieces, oldest first. */
	readonly kills: readonly Draft[];
	/** The index of the kill that the last yank inserted. */
	readonly yanked?: number;
};

export function createEditor(columns = 80): Editor {
	return {draft: emptyDraft, cursor: origin, columns, undo: emptyUndo, kills: []};
}

/** Returns the editor after an action. If an action has no effect, the draft and the cursor stay the same. */
export function edit<Type extends EditAction['type']>(editor: Editor, action: EditOf<Type>): Editor {
	const type: Type = action.type;
	return handlers[type](editor, action);
}

type EditOf<Type extends EditAction['type']> = {readonly [Each in Type]: EditMap[Each] & {readonly type: Each}}[Type];
type EditMap = {readonly [Each in EditAction as Each['type']]: Each};

/** Returns the editor `now` with another draft. Undo then returns to `before`. */
export function withStep(before: Editor, draft: Draft, cursor: Position, now: Editor = before): Editor {
	const {undo} = changed(before, draft, cursor, false);
	return {...settled(now), draft, cursor, undo};
}

export function placeCursor(editor: Editor, cursor: Position): Editor {
	return moved(editor, cursor);
}

/** Tells whether the caret is in the first row (`up`) or the last row (`down`). */
export function isAtEdge({draft, cursor, columns}: Editor, direction: 'up' | 'down'): boolean {
	return steps[direction](draft, placeOf(draft, cursor, columns), columns) === undefined;
}

type Handlers = {
	readonly [Type in EditAction['type']]: (editor: Editor, action: EditOf<Type>) => Editor;
};

const steps = {up: stepUp, down: stepDown};

const handlers: Handlers = {
	insert(editor, {text}) {
		return typeText(editor, withNewlines(text));
	},
	paste(editor, {text}) {
		const content = withNewlines(text);
		if (content === '') return editor;
		if (isShort(content)) return withRange(inserted(editor, draftOf(content)), editor);
		return inserted(editor, pieceOfPaste(nextPaste(editor.draft), content));
	},
	chip: (editor, {chip}) => inserted(editor, [[chip]]),
	put,
	'open paste'(editor) {
		const found = opened(editor.draft, editor.cursor);
		return found === undefined || found === 'too long' ? editor : changed(editor, found.draft, found.end, false);
	},
	move: (editor, {to}) => moved(editor, move(editor.draft, editor.cursor, to)),
	up: editor => vertical(editor, stepUp),
	down: editor => vertical(editor, stepDown),
	erase(editor, {to}) {
		const target = move(editor.draft, editor.cursor, to);
		if (isSame(target, editor.cursor)) return settled(editor);
		const {draft, at} = remove(editor.draft, editor.cursor, target);
		return {...changed(editor, draft, at, editor.last === 'erase'), last: 'erase'};
	},
	kill,
	yank: editor => yank(editor, editor.kills.length - 1),
	'yank earlier'(editor) {
		const {yanked, kills} = editor;
		if (editor.last !== 'yank' || yanked === undefined || kills.length < 2) return editor;
		const before = edit(editor, {type: 'undo'});
		return yank(before, (yanked + kills.length - 1) % kills.length);
	},
	undo: editor => travel(editor, back),
	redo: editor => travel(editor, forth),
	clear: editor => (isEmpty(editor.draft) ? settled(editor) : changed(editor, emptyDraft, origin, false)),
	replace(editor, {segments}) {
		const draft = fromSegments(segments);
		return changed(editor, draft, endOf(draft), false);
	},
	resize: (editor, {columns}) => (columns === editor.columns ? editor : {...editor, columns, goal: undefined}),
};

/**
Types a text. Undo removes typed text word by word. White space belongs to the word before it, and the next letter
begins a new undo step.
*/
function typeText(editor: Editor, text: string): Editor {
	if (text === '') return editor;
	const {draft, cursor} = /^\s/.test(text) ? folded(editor) : editor;
	const before = atomBefore(editor.draft, editor.cursor);
	const startsWord = beginsWord(before, text);
	const typed = insert(draft, cursor, partOfPaste(draft, cursor, draftOf(text)));
	return withRange(
		{
			...changed(editor, typed.draft, typed.end, editor.last === 'type' && !startsWord && draft === editor.draft),
			last: 'type',
		},
		editor,
	);
}

/**
If the user typed a range after a file chip, makes the range a part of the chip. Called before white space is inserted.
*/
function folded({draft, cursor}: Editor): {readonly draft: Draft; readonly cursor: Position} {
	const found = foldRange(draftLine(draft, cursor.line), cursor.column);
	if (found === undefined) return {draft, cursor};
	const rest = remove(draft, {line: cursor.line, column: found.from}, cursor);
	const {draft: folded, end} = insert(rest.draft, rest.at, [[found.chip]]);
	return {draft: folded, cursor: end};
}

/** If the user types a range after the space of a picked file, removes that space. */
function withRange(typed: Editor, {spaced}: Editor): Editor {
	const {draft, cursor} = typed;
	if (spaced === undefined || cursor.line !== spaced.line || cursor.column > spaced.column + spacedReach)
		return typed;
	if (!beginsRange(draftLine(draft, cursor.line), spaced.column, cursor.column)) return {...typed, spaced};
	const {draft: joined} = remove(draft, {line: spaced.line, column: spaced.column - 1}, spaced);
	return {...typed, draft: joined, cursor: {line: cursor.line, column: cursor.column - 1}};
}

/** The maximum number of characters of a range. */
const spacedReach = 24;

function put(editor: Editor, {from, to, segments, space}: PutAction): Editor {
	const {line} = editor.cursor;
	const {draft: rest, at} = remove(editor.draft, {line, column: from}, {line, column: to});
	const {draft, end} = insert(rest, at, fromSegments(segments));
	if (!space) return changed(editor, draft, end, false);
	const next = textOfAtom(draftLine(draft, end.line)[end.column]);
	if (next !== undefined && /^\s/.test(next))
		return changed(editor, draft, {line: end.line, column: end.column + 1}, false);
	if (next !== undefined && !/^[\p{L}\p{N}\p{M}\p{S}]/u.test(next)) return changed(editor, draft, end, false);
	const spaced = insert(draft, end, [[' ']]);
	return {
		...changed(editor, spaced.draft, spaced.end, false),
		...(segments.at(-1)?.type === 'file_ref' && {spaced: spaced.end}),
	};
}

function inserted(editor: Editor, piece: Draft): Editor {
	const {draft, end} = insert(editor.draft, editor.cursor, partOfPaste(editor.draft, editor.cursor, piece));
	return changed(editor, draft, end, false);
}

function kill(editor: Editor, {to}: {readonly to: Motion}): Editor {
	const direct = move(editor.draft, editor.cursor, to);
	const further = isSame(direct, editor.cursor) ? beyond[to] : undefined;
	const target = further === undefined ? direct : move(editor.draft, editor.cursor, further);
	if (isSame(target, editor.cursor)) return settled(editor);
	const {draft, taken, at} = remove(editor.draft, editor.cursor, target);
	return {...changed(editor, draft, at, false), last: 'kill', kills: killed(editor, taken, at)};
}

const beyond: Partial<Record<Motion, Motion>> = {'line end': 'right', 'line start': 'left'};

/** Adds a kill. Consecutive kills are joined. If the cursor did not move, the removed text was after the cursor. */
function killed({kills, last, cursor}: Editor, taken: Draft, at: Position): readonly Draft[] {
	const latest = kills.at(-1);
	if (last !== 'kill' || latest === undefined) return kills.concat([taken]).slice(-killLimit);
	const joined = isSame(at, cursor)
		? insert(latest, endOf(latest), taken).draft
		: insert(latest, origin, taken).draft;
	return kills.with(-1, joined);
}

const killLimit = 20;

function yank(editor: Editor, index: number): Editor {
	const piece = editor.kills[index];
	if (piece === undefined) return settled(editor);
	return {...inserted(editor, withOwnNumbers(piece, editor.draft)), last: 'yank', yanked: index};
}

function vertical(editor: Editor, step: (draft: Draft, place: Place, columns: number) => Place | undefined): Editor {
	const {draft, cursor, columns} = editor;
	const place = placeOf(draft, cursor, columns);
	const goal = editor.goal ?? cellsBefore(draft, place, cursor, columns);
	const next = step(draft, place, columns);
	return {...settled(editor), goal, ...(next !== undefined && {cursor: positionAt(draft, next, goal, columns)})};
}

function moved(editor: Editor, cursor: Position): Editor {
	return {...settled(editor), cursor};
}

function travel(editor: Editor, step: typeof back): Editor {
	const found = step(editor.undo, {draft: editor.draft, cursor: editor.cursor});
	return found === undefined ? settled(editor) : {...settled(editor), ...found.snapshot, undo: found.undo};
}

function changed(editor: Editor, draft: Draft, cursor: Position, goesOn: boolean): Editor {
	const undo = remember(editor.undo, {draft: editor.draft, cursor: editor.cursor}, goesOn);
	return {...settled(editor), draft, cursor, undo};
}

/** Returns an editor whose next action begins a new undo step. */
function settled(editor: Editor): Editor {
	return {...editor, goal: undefined, last: undefined, yanked: undefined, spaced: undefined};
}
