import {flatten} from '../../../pod/protocol.ts';
import {holdKeys} from '../hold-keys.ts';
import type {EditedFile, EditorProblem} from '../../terminal/editor-program.ts';
import type {Key} from '../../terminal/input/input.ts';
import {showAlert, update, type App} from '../app.ts';
import type {Draft} from '../../editor/draft.ts';
import {toSegments} from '../../editor/segments.ts';
import {withChips} from '../geometry.ts';

export function pressExternalEditor(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'edit outside') return false;
	editOutside(app);
	return true;
}

/** Opens the draft in the editor, unless an editor is already open or starting. */
function editOutside(app: App): void {
	if (editings.has(app)) return;
	const editing: Editing = {};
	editings.set(app, editing);
	void holdKeys(app, async () => edit(app, editing).then(() => false)).finally(() => editings.delete(app));
}

/** When the screen closes, copies the text that an open editor has saved into the draft. */
export function closeExternalEditor(app: App): void {
	const under = editings.get(app)?.under;
	if (under === undefined) return;
	takeBack(app, under);
	under.file.dispose();
}

/**
One use of the editor, from the key press until the editor ends. `under` is set while the draft is open in the editor.
*/
type Editing = {under?: Edit | undefined};

/** The file that the editor edits, and the draft that inkpod wrote to that file. */
type Edit = {readonly file: EditedFile; readonly draft: Draft};

const editings = new WeakMap<App, Editing>();

/**
Lends the terminal to the editor until the editor ends. The editor gets the environment variables that configure it. The
pod continues during this time, and the screen shows its events afterwards.
*/
async function edit(app: App, editing: Editing): Promise<void> {
	const {createEditedFile, editorSentence, findEditor} = await import('../../terminal/editor-program.ts');
	const {onLend} = app.options;
	const programs = await app.options.programs();
	const complain = (problem: EditorProblem) => {
		const sentence = editorSentence(problem);
		if (sentence !== undefined) showAlert(app, {level: 'warn', text: sentence});
	};
	const command = findEditor(programs);
	if ('reason' in command) return complain(command);
	const {draft} = app.state.composer.editor;
	let under: Edit;
	try {
		under = {draft, file: createEditedFile(flatten(toSegments(draft)))};
	} catch (error) {
		return complain({reason: 'io', detail: (error as Error).message});
	}
	editing.under = under;
	const {file} = under;
	let problem: EditorProblem | undefined;
	const isLent = await onLend(async () => {
		problem = await file.run(command, programs.env);
	});
	if (isLent && problem === undefined) problem = takeBack(app, under);
	file.dispose();
	editing.under = undefined;
	if (problem !== undefined) complain(problem);
}

/**
Replaces the draft with the editor's text. If the pod returned a message during the edit, that message stays after the
editor's text.
*/
function takeBack(app: App, {file, draft}: Edit): EditorProblem | undefined {
	const read = file.read();
	if (!read.ok) return read.problem;
	const segments = withChips(read.text, toSegments(draft));
	if (app.state.composer.editor.draft === draft) update(app, {type: 'replace', segments});
	else if (segments.length > 0) update(app, {type: 'returned', segments});
	app.changed('now');
	return undefined;
}
