import {holdKeys} from '../hold-keys.ts';
import type {LentFile} from '../../terminal/program.ts';
import type {Action} from '../../model/app-state.ts';
import type {AppState} from '../../model/app-state.ts';
import {showAlert, type App} from '../app.ts';
import {resourceFor} from '../runtime.ts';
import type * as StoredParts from '../../rows/block-sources.ts';
import type {BlockSource} from '../../rows/block-sources.ts';
import type {Way, Choice} from '../../model/opener/opener-state.ts';
import {blockAtFocus, visibleBlocksOf} from '../geometry.ts';
import type {ActionName} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {nothingToOpen} from '../../view/opener/texts.ts';
import {required} from '../../../text/lines.ts';

/**
Opens a stored text in the pager or the editor. Only one program runs at a time. The program reads keys itself, so keys
that you typed before its start go to the draft.
*/
function openInProgram(app: App, part: BlockSource, way: Way): void {
	const {isRunning} = app.state.opener;
	app.dispatch({type: 'open stored'});
	if (isRunning) return;
	void holdKeys(app, async () => {
		await open(app, part, way);
		return false;
	}).finally(() => app.dispatch({type: 'stored program ended'}));
}

/**
Loads the code that reads the texts of blocks as soon as there is a transcript, so that the key works immediately.
Deletes the temporary file when the screen closes.
*/
export function followOpener(app: App, _before: AppState, {type}: Action): void {
	if (type === 'transcript changed' && runtimeOf(app).loading === undefined) void loadParts(app);
	else if (type === 'leave screen') runtimeOf(app).file?.dispose();
}

function loadedParts(app: App): typeof StoredParts | undefined {
	return runtimeOf(app).stored;
}

async function loadParts(app: App): Promise<typeof StoredParts> {
	const runtime = runtimeOf(app);
	runtime.loading ??= import('../../rows/block-sources.ts').then(stored => (runtime.stored = stored));
	return runtime.loading;
}

export function pressOpener(app: App, key: Key): boolean {
	const action = app.state.setup.keymap.action(key);
	const way = action === undefined ? undefined : ways[action];
	const {choice} = app.state.opener;
	if (way === undefined) return choice !== undefined && pressInList(app, choice, key);
	const stored = loadedParts(app);
	if (choice?.way === way) app.dispatch({type: 'close offer'});
	else if (stored !== undefined) offer(app, way, stored);
	else void holdKeys(app, async () => offerLater(app, way));
	return true;
}

/** `file` is the temporary copy of the text for the program. */
type Runtime = {
	loading: Promise<typeof StoredParts> | undefined;
	stored: typeof StoredParts | undefined;
	file: LentFile | undefined;
};

const runtimeOf = resourceFor((): Runtime => ({loading: undefined, stored: undefined, file: undefined}));

async function open(app: App, part: BlockSource, way: Way): Promise<void> {
	const {openStored} = await import('./open-stored.ts');
	const runtime = runtimeOf(app);
	const alert = await openStored(part, way, app.options, file => {
		runtime.file = file;
	});
	runtime.file = undefined;
	if (alert !== undefined) showAlert(app, alert);
}

const ways: {readonly [Name in ActionName]?: Way} = {'open in pager': 'pager', 'open in editor': 'editor'};

/** Handles a key in the list of texts. A key that the list does not use closes the list and keeps its usual meaning. */
function pressInList(app: App, {parts, at, way}: Choice, key: Key): boolean {
	const by = key.ctrl || key.alt || key.shift ? undefined : moves[key.name];
	if (by !== undefined) app.dispatch({type: 'move offer', by});
	else if (key.name === 'enter') openInProgram(app, required(parts[at], 'part'), way);
	else app.dispatch({type: 'close offer'});
	return by !== undefined || key.name === 'enter' || key.name === 'escape';
}

const moves: {readonly [key: string]: number | undefined} = {
	up: -1,
	down: 1,
	pageup: -5,
	pagedown: 5,
	home: Number.NEGATIVE_INFINITY,
	end: Number.POSITIVE_INFINITY,
};

/**
Handles the key if it is pressed before a transcript exists. The list then opens as soon as there is a transcript.
*/
async function offerLater(app: App, way: Way): Promise<boolean> {
	await app.opened.promise;
	offer(app, way, await loadParts(app));
	return app.state.opener.choice !== undefined;
}

function offer(app: App, way: Way, {blockSources, mainSource}: typeof StoredParts): void {
	const {store} = app.state.transcript;
	const parts = visibleBlocksOf(app).flatMap(block => {
		const isDetailed = block.kind === 'compaction' && store?.isDetailed(block.id) === true;
		return blockSources(block, isDetailed ? store.conversations.get(block.id) : undefined);
	});
	const [first] = parts;
	if (first === undefined) {
		showAlert(app, {level: 'info', text: nothingToOpen});
		return;
	}
	if (parts.length === 1) {
		openInProgram(app, first, way);
		return;
	}
	const id = blockAtFocus(app)?.id;
	const at = parts.findIndex(part => part.id === id);
	const main = at === -1 ? 0 : at + mainSource(parts.filter(part => part.id === id));
	app.dispatch({type: 'offer stored', choice: {parts, way, at: main}});
}
