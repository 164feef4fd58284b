import {flatten} from '../../pod/protocol.ts';
import {holdKeys} from '../hold/hold-keys.ts';
import type {EditedFile, EditorProblem} from '../terminal/editor-program.ts';
import type {Key} from '../terminal/input/input.ts';
import {showAlert, update, type App} from '../state/app.ts';
import type {Draft} from './editor/draft.ts';
import {toSegments} from './editor/segments.ts';
import {withChips} from './text-chips.ts';

export function pressExternalEditor(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'edit outside') return false;
	app.dispatch({type: 'edit outside'});
	return true;
}

/** Opens the draft in the editor, unless it is opening or open. */
export function editOutside(app: App): void {
	if (editings.has(app)) return;
	const editing: Editing = {};
	editings.set(app, editing);
	void holdKeys(app, async () => edit(app, editing).then(() => false)).finally(() => editings.delete(app));
}

/** The screen is left: what was saved in an editor that is still open belongs to the draft. */
export function closeExternalEditor(app: App): void {
	const under = editings.get(app)?.under;
	if (under === undefined) return;
	takeBack(app, under);
	under.file.dispose();
}

/** A screen's editor, from the key until it has ended. `under`: set while it has the draft. */
type Editing = {under?: Edit | undefined};

/** `draft`: what was written to the file. */
type Edit = {readonly file: EditedFile; readonly draft: Draft};

const editings = new WeakMap<App, Editing>();

/**
The editor has the terminal until it has ended. It inherits the environment that names it. The pod continues; its events
are shown afterwards.
*/
async function edit(app: App, editing: Editing): Promise<void> {
	const {createEditedFile, editorSentence, findEditor} = await import('../terminal/editor-program.ts');
	const {onHandOver} = app.options;
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
	const isLent = await onHandOver(async () => {
		problem = await file.run(command, programs.env);
	});
	if (isLent && problem === undefined) problem = takeBack(app, under);
	file.dispose();
	editing.under = undefined;
	if (problem !== undefined) complain(problem);
}

/** Puts the editor's text in the place of the draft. A message that the pod gave back meanwhile stays after it. */
function takeBack(app: App, {file, draft}: Edit): EditorProblem | undefined {
	const read = file.read();
	if (!read.ok) return read.problem;
	const segments = withChips(read.text, toSegments(draft));
	if (app.state.composer.editor.draft === draft) update(app, {type: 'replace', segments});
	else if (segments.length > 0) update(app, {type: 'returned', segments});
	app.changed('now');
	return undefined;
}
