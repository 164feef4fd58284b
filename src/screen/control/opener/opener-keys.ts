import {blockAtFocus, visibleBlocksOf} from '../geometry.ts';
import {holdKeys} from '../hold-keys.ts';
import type {ActionName} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {showAlert, type App} from '../app.ts';
import type * as StoredParts from '../../rows/block-sources.ts';
import {loadParts, loadedParts, openInProgram} from './opener-effects.ts';
import type {Choice, Way} from '../../model/opener/opener-state.ts';
import {nothingToOpen} from '../../view/opener/texts.ts';
import {required} from '../../../text/required.ts';

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

const ways: {readonly [Name in ActionName]?: Way} = {'open in pager': 'pager', 'open in editor': 'editor'};

/** Handles a key in the list. Any other key closes the list and keeps its usual meaning. */
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

/** Waits for the transcript when you press the key before it exists. */
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
