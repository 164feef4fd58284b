import type {ComposerAction} from '../../model/composer/composer-state.ts';
import {isCommand} from '../../model/preflight/marks.ts';
import {type App, update, showAlert} from '../app.ts';
import type {AppState} from '../../model/app-state.ts';
import {mayPrecedeRef} from '../../model/completion/token.ts';
import {withNewlines} from '../../editor/chip.ts';
import {draftLine, type Draft, type Position} from '../../editor/draft.ts';
import {pasteAround, opened} from '../../editor/open-paste.ts';
import {textOfAtom} from '../../editor/graphemes.ts';
import {showChord} from '../../model/keys/keymap.ts';
import {t} from '../../../language/index.ts';

/** Turns a pasted or dragged path into a chip if the pod confirms that the path names a file. */
export function makeChip(app: App, action: ComposerAction, before: AppState): void {
	if (action.type === 'paste' && mayBePath(action.text) && isFree(before)) void chipOf(app, action.text);
}

/** Tells whether `text` may be a single path. A plain word does not count as a path, even if a file has this name. */
export function mayBePath(text: string): boolean {
	const written = text.trim();
	return written !== '' && text.length <= maxLength && !/[\u0000-\u001F\u007F]/.test(text) && pathLike.test(written);
}

/** Expands the paste chip next to the cursor, so that you can edit its text in the message. */
export function openPasteAtCaret(app: App): void {
	const {composer, setup} = app.state;
	const {draft, cursor} = composer.editor;
	const found = opened(draft, cursor);
	if (found === 'too long') {
		const key = setup.keymap.chords('edit outside').map(showChord)[0];
		showAlert(app, {level: 'info', text: pasteTooLong(key)});
	} else if (found !== undefined) update(app, {type: 'open paste'});
}

const maxLength = 3 * 4096;

const pathLike = /^["']|[/\\]|\.\w/;

/** Tells whether a chip may be inserted at the caret. The draft must be a message, and no word may touch the caret. */
function isFree({composer: {editor}}: AppState): boolean {
	const {draft, cursor} = editor;
	const line = draftLine(draft, cursor.line);
	const before = line[cursor.column - 1];
	const isApart = before === undefined || mayPrecedeRef(textOfAtom(before) ?? 'x');
	const after = textOfAtom(line[cursor.column]) ?? ' ';
	return !isCommand(draft) && isApart && !/^[\p{L}\p{N}_]/u.test(after) && pasteAround(draft, cursor) === undefined;
}

/** Replaces the pasted text with a chip, unless the draft or the caret has changed in the meantime. */
async function chipOf(app: App, text: string): Promise<void> {
	const {draft, cursor} = app.state.composer.editor;
	const pasted = pastedBefore(draft, cursor, withNewlines(text));
	if (pasted === undefined) return;
	const client = await app.client.promise;
	const path = await client.namedPath(text).catch(() => undefined);
	const {editor} = app.state.composer;
	if (path === undefined || editor.draft !== draft || editor.cursor !== cursor) return;
	update(app, {type: 'put', from: pasted, to: cursor.column, segments: [{type: 'file_ref', path}], space: true});
	app.changed('now');
}

/** Returns the column at which the pasted text begins, if it is directly before the caret. */
function pastedBefore(draft: Draft, {line, column}: Position, text: string): number | undefined {
	const atoms = draftLine(draft, line);
	let left = text;
	let from = column;
	while (left !== '') {
		const atom = textOfAtom(atoms[from - 1]);
		if (atom === undefined || !left.endsWith(atom)) return undefined;
		left = left.slice(0, left.length - atom.length);
		from--;
	}
	return from;
}

/** Explains that a paste is too long. `key` opens the message in the user's editor. */
function pasteTooLong(key: string | undefined): string {
	return t`This paste is too long to open
		here.${key === undefined ? '' : t` ${key} opens the message in your editor.`}`;
}
