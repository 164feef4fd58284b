import type {FileState, FileRef} from '../../../pod/protocol.ts';
import {isEmpty, atomBefore} from '../../editor/draft.ts';
import {type App, showAlert, update} from '../app.ts';
import {isBusy} from '../../model/selectors.ts';
import type {AppState} from '../../model/app-state.ts';
import type {SystemPart} from '../../../transcript/block.ts';
import type {VisibleRow} from '../../rows/viewport/viewport.ts';
import type {StaleState} from '../../rows/parts/render.ts';
import {toSegments} from '../../editor/segments.ts';
import {blockAtFocus} from '../geometry.ts';
import type {Key} from '../../terminal/input/input.ts';
import {textOfAtom} from '../../editor/graphemes.ts';
import {t} from '../../../language/index.ts';

/*
The functions in this file check whether the visible files have changed since the model saw them. They check files when
the files become visible, when a run ends, and before you attach a file again. They also check when you begin to write
or return to the terminal. Each check follows a frame. There is no timer.
*/

/** Marks all files for another check after a run. */
export function lookAfterRun(app: App): void {
	const looking = lookingOf(app);
	const busy = isBusy(app.state);
	if (looking.wasBusy && !busy) looking.asked.clear();
	looking.wasBusy = busy;
}

/** Marks all files for another check when you return to the terminal. */
export function lookOnFocus(app: App, focused: boolean, before: AppState): void {
	if (before.terminal.focused === false && focused) lookingOf(app).asked.clear();
}

/** Marks all files for another check when you begin to write. */
export function recheckOnDraft(app: App, before: AppState): void {
	const {draft} = app.state.composer.editor;
	const last = before.composer.editor.draft;
	if (draft !== last && isEmpty(last) && !isEmpty(draft)) lookingOf(app).asked.clear();
}

/** Checks the files in a frame that were not checked yet. */
export function checkShownFiles(app: App, rows: readonly VisibleRow[]): void {
	const looking = lookingOf(app);
	looking.rows = rows;
	if (looking.isPlanned) return;
	looking.isPlanned = true;
	queueMicrotask(() => {
		looking.isPlanned = false;
		void ask(app, looking);
	});
}

/** Checks all files of the last frame again. */
async function checkFiles(app: App): Promise<void> {
	const looking = lookingOf(app);
	looking.asked.clear();
	await ask(app, looking);
}

/** Returns the files of the last frame. */
function shownFiles(app: App): readonly SystemPart[] {
	const blocks = new Set(lookingOf(app).rows.map(({block}) => block));
	return [...blocks].flatMap(block => (block.kind === 'system' ? block.parts.filter(isFile) : []));
}

/** Handles the key that attaches a changed file again. Returns false for another key. */
export function pressAttachAgain(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'attach again') return false;
	void checkFiles(app).then(() => {
		attachAgain(app);
		app.changed('now');
	});
	return true;
}

/** `asked` contains the files of the last frame that the pod was asked to check. */
type Looking = {readonly asked: Set<string>; rows: readonly VisibleRow[]; wasBusy: boolean; isPlanned: boolean};

const lookings = new WeakMap<App, Looking>();

function lookingOf(app: App): Looking {
	let looking = lookings.get(app);
	if (looking === undefined) {
		looking = {asked: new Set(), rows: [], wasBusy: false, isPlanned: false};
		lookings.set(app, looking);
	}
	return looking;
}

async function ask(app: App, {asked}: Looking): Promise<void> {
	if (app.state.transcript.store === undefined || app.state.lifecycle.quitting) return;
	const shown = new Set(shownFiles(app).map(({item}) => item.id));
	for (const id of asked) if (!shown.has(id)) asked.delete(id);
	const ids = [...shown].filter(id => !asked.has(id));
	if (ids.length === 0) return;
	for (const id of ids) asked.add(id);
	const client = await app.client.promise;
	// If the connection to the pod was lost, other code reports it.
	const states = await client.stale(ids).catch(() => undefined);
	if (states !== undefined) markStale(app, states);
}

function markStale(app: App, states: readonly FileState[]): void {
	const {store} = app.state.transcript;
	if (store === undefined) return;
	const before = store.version();
	store.setStale(new Map(states.map(({id, state}) => [id, badges[state]])));
	if (store.version() === before) return;
	app.dispatch({type: 'transcript changed'});
	app.changed('soon');
}

const badges: {readonly [State in FileState['state']]: StaleState | undefined} = {
	same: undefined,
	changed: 'changed',
	gone: 'gone',
	unknown: undefined,
};

function isFile({origin}: SystemPart): boolean {
	return origin?.kind === 'file' || origin?.kind === 'auto_read';
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

const noneChanged = t`No file on the screen has changed on disk.`;

const allAttached = t`All files that changed on disk are attached already.`;
