import {actionOfKey, type ComposerAction} from './composer/composer-state.ts';
import {createEditor, edit, type Editor} from '../editor/editor.ts';
import type {EditAction} from '../editor/undo.ts';
import type {Draft} from '../editor/draft.ts';
import {segment} from '../editor/graphemes.ts';
import type {Keymap} from './keys/keymap.ts';
import type {Key} from '../terminal/input/input.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {cut, steps, width} from '../../text/width.ts';

/**
A single line that you edit with the composer's keys, such as a filter, a search or a name. The value is immutable.
*/
export type Field = Editor;

/** The edits that a single line supports. */
export type FieldEdit = Extract<EditAction, {readonly type: (typeof edits)[number]}>;

/** The sanitized visible part of a field, and the number of cells before the caret. */
type FieldView = {readonly text: string; readonly caret: number};

export function createField(text = '', limit = defaultLimit): Field {
	return editField(createEditor(), {type: 'insert', text}, limit);
}

export function fieldText(field: Field): string {
	return textOf(lineOf(field));
}

export function textBeforeCaret(field: Field): string {
	return textOf(lineOf(field).slice(0, field.cursor.column));
}

/** Returns the edit that a key makes in a field, or `undefined` for a key that does not edit a field. */
export function fieldEditOf(key: Key, keymap: Keymap): FieldEdit | undefined {
	const action = actionOfKey(key, keymap);
	return action !== undefined && isFieldEdit(action) ? action : undefined;
}

/**
Returns the field after an edit. A field stays a single line of at most `limit` graphemes. Inserted text is cut to fit.
*/
export function editField(field: Field, action: FieldEdit, limit = defaultLimit): Field {
	const isText = action.type === 'insert' || action.type === 'paste';
	const next = isText ? insertText(field, action.text, limit) : edit(field, action);
	return lineOf(next).length > limit ? field : next;
}

function lineOf({draft: [line = []]}: Field): Draft[number] {
	return line;
}

/**
Returns the end of the text before the caret, and the text after the caret that still fits. The caret needs one cell.
*/
export function viewField(field: Field, columns: number): FieldView {
	const before = textBeforeCaret(field);
	const after = sanitizeLine(fieldText(field).slice(before.length));
	const left = lastCells(sanitizeLine(before), Math.max(0, columns - 1));
	const caret = width(left);
	return {text: left + cut(after, Math.max(0, columns - caret)), caret};
}

const edits = ['insert', 'paste', 'move', 'erase', 'kill', 'yank', 'yank earlier', 'undo', 'redo'] as const;
const editTypes: ReadonlySet<string> = new Set(edits);

function isFieldEdit(action: ComposerAction): action is FieldEdit {
	return editTypes.has(action.type);
}

/** Inserts text into a field. Each line break and the white space after it become a single space. */
function insertText(field: Field, text: string, limit: number): Field {
	const room = Math.max(0, limit - lineOf(field).length);
	const read = text.slice(0, room * maxGrapheme);
	const graphemes = segment(read.replaceAll(/[\n\v\f\r\u0085\u2028\u2029]\s*/gu, ' '));
	const whole = read.length < text.length ? graphemes.slice(0, -1) : graphemes;
	const line = whole.slice(0, room).join('');
	return line === '' ? field : edit(field, {type: 'insert', text: line});
}

/** Returns the longest end of a text that is at most `columns` wide and consists of whole clusters. */
function lastCells(text: string, columns: number): string {
	let excess = width(text) - columns;
	if (excess <= 0) return text;
	for (const {from, end} of steps(text)) {
		excess -= width(text.slice(from, end));
		if (excess <= 0) return text.slice(end);
	}
	return '';
}

function textOf(atoms: Editor['draft'][number]): string {
	return atoms.filter(atom => typeof atom === 'string').join('');
}

const defaultLimit = 1000;
/** The maximum number of code units that are read for each grapheme, which limits the cost of a long paste. */
const maxGrapheme = 16;
