import {textOfAtom} from '../../../src/screen/editor/graphemes.ts';
import {flatten} from '../../../src/pod/protocol.ts';
import {createEditor, edit, type Editor} from '../../../src/screen/editor/editor.ts';
import type {EditAction} from '../../../src/screen/editor/undo.ts';

/* Returns the editor after some actions. */

export function run(actions: readonly EditAction[], from = createEditor(20)): Editor {
	return actions.reduce(edit, from);
}

export function typed(text: string, columns = 80): Editor {
	return run(
		Array.from(text, character => ({type: 'insert', text: character})),
		createEditor(columns),
	);
}

/** Returns the draft as text, with the caret as a bar. */
export function show({draft, cursor}: Editor): string {
	return draft
		.map((line, index) => {
			const atoms = line.map(atom =>
				typeof atom === 'object' && atom.type !== 'pasted' ? `[${flatten([atom])}]` : textOfAtom(atom),
			);
			if (index === cursor.line) atoms.splice(cursor.column, 0, '|');
			return atoms.join('');
		})
		.join('\n');
}

export function press(editor: Editor, ...actions: readonly EditAction[]): string {
	return show(run(actions, editor));
}

export const left = {type: 'move', to: 'left'} as const;
export const erase = {type: 'erase', to: 'left'} as const;
