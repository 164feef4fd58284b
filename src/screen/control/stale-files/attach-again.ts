import type {FileRef} from '../../../pod/protocol.ts';
import {toSegments} from '../../editor/segments.ts';
import {blockAtFocus} from '../geometry.ts';
import type {Key} from '../../terminal/input/input.ts';
import {showAlert, update, type App} from '../app.ts';
import type {SystemPart} from '../../../transcript/block.ts';
import {checkFiles, shownFiles} from './stale-files-effects.ts';
import {allAttached, noneChanged} from './texts.ts';
import {atomBefore} from '../../editor/draft.ts';
import {textOfAtom} from '../../editor/graphemes.ts';

/** Handles the key that attaches a changed file again. Returns false for another key. */
export function pressAttachAgain(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'attach again') return false;
	void checkFiles(app).then(() => {
		attachAgain(app);
		app.changed('now');
	});
	return true;
}

/** Attaches the file in focus, or otherwise the last changed file that is not in the draft. */
function attachAgain(app: App): void {
	const {store} = app.state.transcript;
	const stale = shownFiles(app).filter(({item}) => store?.stale(item.id) === 'changed');
	const refs = stale.map(part => ({part, ref: refOf(part)}));
	const inDraft = toSegments(app.state.composer.editor.draft).filter(segment => segment.type === 'file_ref');
	const left = refs.filter(({ref}) => !inDraft.some(other => sameRef(other, ref)));
	const focus = blockAtFocus(app)?.id;
	const chosen = left.find(({part}) => part.item.id === focus) ?? left.at(-1);
	if (chosen === undefined) {
		showAlert(app, {level: 'info', text: refs.length === 0 ? noneChanged : allAttached});
		return;
	}
	const {cursor, draft} = app.state.composer.editor;
	const before = atomBefore(draft, cursor);
	const isSpaced = before === undefined || /\s/.test(textOfAtom(before) ?? '');
	if (!isSpaced) update(app, {type: 'insert', text: ' '});
	const {column} = app.state.composer.editor.cursor;
	update(app, {type: 'put', from: column, to: column, segments: [chosen.ref], space: true});
}

function refOf({origin}: SystemPart): FileRef {
	if (origin?.kind !== 'file' && origin?.kind !== 'auto_read') throw new Error('only a file can be attached again');
	return {type: 'file_ref', path: origin.path, range: origin.range};
}

function sameRef(one: FileRef, other: FileRef): boolean {
	return one.path === other.path && one.range?.first === other.range?.first && one.range?.last === other.range?.last;
}
