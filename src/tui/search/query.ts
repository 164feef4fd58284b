import {actionOfKey} from '../composer/composer-state.ts';
import {createEditor, edit, type EditAction, type Editor} from '../composer/editor/editor.ts';
import type {Keymap} from '../keymap.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {Key} from '../terminal/input/input.ts';
import {cut, steps, width} from '../text/width.ts';

/** A line that is being written, with the keys of the composer. */
export type Query = Editor;

export function createQuery(text = ''): Query {
	return typed(createEditor(), text);
}

export function queryText({draft}: Query): string {
	return draft[0]!.filter(atom => typeof atom === 'string').join('');
}

/** The query after a key, or nothing where the key does not edit. */
export function editQuery(query: Query, key: Key, keymap: Keymap): Query | undefined {
	const action = actionOfKey(key, keymap);
	if (action === undefined || !edits.has(action.type)) return undefined;
	return action.type === 'insert' ? typed(query, action.text) : edit(query, action as EditAction);
}

/** Inserts text; it stays one line. */
export function typed(query: Query, text: string): Query {
	const line = text.replaceAll(/[\r\n]+/g, ' ').slice(0, longest);
	return line === '' ? query : edit(query, {type: 'insert', text: line});
}

/** The part of the query around its caret that fits into so many cells, inert, and the cells before the caret. */
export function viewQuery({draft, cursor}: Query, columns: number): {readonly text: string; readonly caret: number} {
	const atoms = draft[0]!.filter(atom => typeof atom === 'string');
	const before = sanitizeLine(atoms.slice(0, cursor.column).join(''));
	const left = tail(before, Math.max(0, columns - 1));
	const after = sanitizeLine(atoms.slice(cursor.column).join(''));
	return {text: left + cut(after, Math.max(0, columns - width(left))), caret: width(left)};
}

const longest = 1000;
const edits: ReadonlySet<string> = new Set(['insert', 'move', 'erase', 'kill', 'yank', 'yank earlier', 'undo', 'redo']);

/** The end of a text that is not wider than so many cells. */
function tail(text: string, columns: number): string {
	let over = width(text) - columns;
	if (over <= 0) return text;
	for (const step of steps(text)) {
		over -= width(text.slice(step.from, step.end));
		if (over <= 0) return text.slice(step.end);
	}
	return '';
}
