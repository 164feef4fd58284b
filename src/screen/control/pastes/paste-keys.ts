import {showChord} from '../../model/keys/keymap.ts';
import {showAlert, update, type App} from '../app.ts';
import {opened} from '../../editor/open-paste.ts';
import {pasteTooLong} from './texts.ts';

/** Opens the paste next to the cursor in place. */
export function openPasteAtCaret(app: App): void {
	const {composer, setup} = app.state;
	const {draft, cursor} = composer.editor;
	const found = opened(draft, cursor);
	if (found === 'too long') {
		const key = setup.keymap.chords('edit outside').map(showChord)[0];
		showAlert(app, {level: 'info', text: pasteTooLong(key)});
	} else if (found !== undefined) update(app, {type: 'open paste'});
}
