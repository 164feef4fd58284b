import {holdKeys} from '../hold/hold-keys.ts';
import {flatten} from '../../pod/protocol.ts';
import {tell, update, type App, type Part} from '../state/app.ts';
import type {Draft} from './draft.ts';
import {toSegments} from './segments.ts';
import {withChips} from './text-chips.ts';
import type {EditedFile, EditorProblem, Env} from '../screen/editor-program.ts';

/** Edits the draft in the person's editor, which `env` names and which inherits it, and has the terminal meanwhile. The pod goes on; what it tells is drawn afterwards. */
export function createExternalEditor(env: Env): Part {
	let under: Edit | undefined;
	let starting = false;

	async function edit(app: App): Promise<void> {
		const {createEditedFile, editorSentence, findEditor} = await import('../screen/editor-program.ts');
		const complain = (problem: EditorProblem) => {
			const sentence = editorSentence(problem);
			if (sentence !== undefined) tell(app, {level: 'warn', text: sentence});
		};
		const command = await findEditor(env);
		if ('reason' in command) return complain(command);
		const {draft} = app.state.composer.editor;
		try {
			under = {draft, file: createEditedFile(flatten(toSegments(draft)))};
		} catch (error) {
			return complain({reason: 'io', detail: (error as Error).message});
		}
		let problem: EditorProblem | undefined;
		const {file} = under;
		const lent = await app.options.onHandOver(async () => { problem = await file.run(command, env); });
		if (lent && problem === undefined) problem = takeBack(app, under);
		file.dispose();
		under = undefined;
		if (problem !== undefined) complain(problem);
	}

	return {
		press(app, key) {
			if (app.state.setup.keymap.action(key) !== 'edit outside') return false;
			if (!starting) {
				starting = true;
				void holdKeys(app, async () => edit(app).then(() => false)).finally(() => { starting = false; });
			}
			return true;
		},
		/** What was saved in an editor that is still open belongs to the draft. */
		leave(app) {
			if (under === undefined) return;
			takeBack(app, under);
			under.file.dispose();
		},
	};
}

type Edit = {readonly file: EditedFile; /** What was written to the file. */ readonly draft: Draft};

/** Puts what the editor left in the place of the draft; one that has come back from the pod meanwhile stays behind it. */
function takeBack(app: App, {file, draft}: Edit): EditorProblem | undefined {
	const read = file.read();
	if (!read.ok) return read.problem;
	const segments = withChips(read.text, toSegments(draft));
	if (app.state.composer.editor.draft === draft) update(app, {type: 'replace', segments});
	else if (segments.length > 0) update(app, {type: 'returned', segments});
	app.changed('now');
	return undefined;
}
