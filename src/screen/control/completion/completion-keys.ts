import type {ActionName} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {update, type App} from '../app.ts';
import {asksOf} from '../../model/selectors.ts';
import {completionPage, waitingNote} from '../../view/completion/popup-view.ts';
import {pickable} from '../../model/completion/completion-state.ts';
import {commandOf, type Entry} from '../../model/completion/completion-state.ts';
import {putDirectory, putEntry} from './pick.ts';
import {isWritten} from '../../model/completion/completion-state.ts';
import {isShown} from '../../view/completion/popup-view.ts';
import {atomBefore} from '../../editor/draft.ts';

/**
Handles a key of the popup. Enter and Tab pick the highlighted entry if a frame has shown it. They do nothing if the
arrow keys moved the highlight to an entry that no frame has shown. Otherwise Enter submits the message. Enter also
submits the message if picking would not change the draft. Returns false if another layer should handle the key.
*/
export function pressCompletion(app: App, key: Key): boolean {
	const {popup} = app.state.completion;
	// If a card covers the popup, the card gets the keys.
	if (popup.token === undefined || asksOf(app.state).length > 0) return false;
	const action = app.state.setup.keymap.action(key);
	const step = action === undefined ? undefined : steps[action];
	if (step !== undefined && popup.entries.length > 0) {
		app.dispatch({type: 'highlight completion', by: step(app)});
		return true;
	}
	if (action === undefined) return key.text === '/' && drillBySlash(app);
	return performers[action]?.(app) === true;
}

const up = () => -1;
const down = () => 1;
const steps: {readonly [Name in ActionName]?: (app: App) => number} = {
	up,
	down,
	'previous draft': up,
	'next draft': down,
	'page up': ({state}) => -completionPage(state),
	'page down': ({state}) => completionPage(state),
};

const performers: {readonly [Name in ActionName]?: (app: App) => boolean} = {
	pause(app) {
		if (!isShown(app.state.completion.popup, waitingNote(app.state))) return false;
		app.dispatch({type: 'close completion'});
		return true;
	},
	submit(app) {
		const {popup} = app.state.completion;
		const entry = pickable(app.state.completion);
		if (endsInBackslash(app)) return false;
		if (entry === undefined) return popup.moved;
		if (isWritten(popup, entry)) {
			if (entry.type !== 'command') put(app, entry, false);
			return false;
		}
		if (drill(app, entry)) return true;
		put(app, entry, true);
		// The draft is complete if the picked command takes no argument, so Enter runs it. If you typed another name,
		// Enter only corrects the name.
		return !(entry.type === 'command' && entry.isNear !== true && commandOf(entry.name).argument === undefined);
	},
	pick(app) {
		const entry = pickable(app.state.completion);
		if (entry === undefined) return app.state.completion.popup.moved;
		if (!drill(app, entry)) put(app, entry, entry.type !== 'path');
		return true;
	},
};

/** Tells whether a backslash is before the caret. Enter then inserts a newline. */
function endsInBackslash({state: {composer}}: App): boolean {
	const {draft, cursor} = composer.editor;
	return atomBefore(draft, cursor) === '\\';
}

function put(app: App, entry: Entry, space: boolean): void {
	const {token} = app.state.completion.popup;
	if (token !== undefined) update(app, putEntry(token, entry, space));
}

/**
Replaces the token with the path of a directory, so that the popup lists the directory. Returns false if the entry is
not a directory.
*/
function drill(app: App, entry: Entry | undefined): boolean {
	const {token} = app.state.completion.popup;
	const isDirectory = entry?.type === 'path' && entry.directory;
	const action = token !== undefined && isDirectory ? putDirectory(token, entry.path) : undefined;
	if (action === undefined) return false;
	update(app, action);
	return true;
}

/**
Handles a typed slash. A slash opens the highlighted directory, except after `..`, `~` or an empty path, where the slash
is normal text. A second slash in a row does nothing, because Enter may have opened the directory already. Only a URL
may contain two slashes in a row.
*/
function drillBySlash(app: App): boolean {
	const {completion, composer} = app.state;
	const {
		popup: {token, entries, moved},
	} = completion;
	if (token?.kind !== 'path' || token.suffix !== '' || composer.editor.cursor.column !== token.end) return false;
	if (/[^:/]\/$/.test(token.text)) return true;
	const written = `${token.text}/`;
	const named = entries.find(entry => entry.type === 'path' && entry.path === written);
	if (!moved && (named !== undefined || /^(?:|~|(?:.*\/)?\.{0,2})$/.test(token.text))) return false;
	return drill(app, pickable(completion));
}
