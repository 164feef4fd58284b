import {asksOf, update, type App, type Part} from '../state/app.ts';
import type {AppState} from '../state/app-state.ts';
import type {ActionName} from '../keys.ts';
import type {Row} from '../text/row.ts';
import type {Key} from '../screen/stdin.ts';
import {createAsker, type Asker, type AskTimers} from './asker.ts';
import {commandOf, isSameEntry, type Entry} from './entries.ts';
import {putDirectory, putEntry} from './pick.ts';
import {answered, closed, closedPopup, edited, highlight, isAnswered, isWritten, moved, queryOf, type Popup} from './popup.ts';
import {isShown, viewPopup} from './popup-view.ts';
import {tokenAt} from './token.ts';

/**
The popup that completes `@path`, `/command` and `/workflow` above the composer.

It opens when the draft is edited with the caret in or behind such a token, not when the caret only passes by, an earlier
submission is recalled, or a draft comes back from the pod or an editor: the arrows and Enter stay the composer's then.
Enter and Tab pick what the person has seen: the highlighted entry, if it was highlighted on the screen at the last drawing, or
was on it and the person moved to it since, and fits what is written now. Where the arrows led to what was not on the screen yet,
they do nothing. Otherwise, and when picking would add nothing to what is written, Enter is left to whoever submits: as if there
were no popup.
*/
export function createCompletionPart(timers?: AskTimers): Part {
	const self: Self = {popup: closedPopup, asker: undefined, draft: undefined, back: 0, top: 0, page: 1, seen: undefined, since: 0, connected: false};
	return {
		press: (app, key) => press(self, app, key),
		edited(app, put) {
			self.asker ??= askerOf(self, app, timers);
			hearEdit(self, app, put);
		},
		rows: (app, columns, most) => rows(self, app, columns, most),
		nextChange: app => (isWaiting(self) && app.options.now() < self.since + patience ? self.since + patience : undefined),
		leave: () => self.asker?.stop(),
	};
}

/** What the part keeps, changed in place. */
type Self = {
	popup: Popup;
	asker: Asker | undefined;
	/** The draft of the last edit, and how many submissions back it was. */
	draft: AppState['composer']['editor']['draft'] | undefined;
	back: number;
	/** The first entry shown, and how many are. */
	top: number;
	page: number;
	/** What the last drawing showed, of what can be picked. */
	seen: {readonly highlighted: Entry | undefined; readonly entries: readonly Entry[]} | undefined;
	/** Since when an answer is waited for. */
	since: number;
	connected: boolean;
};

/** How long an answer may take before it is said that one is waited for, in milliseconds. */
const patience = 150;

function askerOf(self: Self, app: App, timers: AskTimers | undefined): Asker {
	void app.client.promise.then(() => (self.connected = true));
	return createAsker({
		client: app.client.promise,
		answered(answer) {
			self.popup = answered(self.popup, answer);
			app.changed('now');
		},
		...(timers !== undefined && {timers}),
	});
}

function hearEdit(self: Self, app: App, put: boolean): void {
	const {editor, history} = app.state.composer;
	const before = self.popup;
	const token = tokenAt(editor.draft, editor.cursor);
	const back = history.entries.length - history.at;
	if (put && before.token === undefined) self.popup = closedPopup;
	else if (editor.draft === self.draft) self.popup = moved(before, token);
	else self.popup = back === self.back ? edited(before, token) : closed(edited(before, token));
	self.draft = editor.draft;
	self.back = back;
	if (self.popup.token === undefined) self.seen = undefined;
	if (isAnswered(before) && !isAnswered(self.popup)) self.since = app.options.now();
	self.asker?.want(queryOf(self.popup));
}

function rows(self: Self, app: App, columns: number, most: number): readonly Row[] {
	const {popup, top} = self;
	if (popup.token === undefined || most < 1) {
		self.seen = undefined;
		return [];
	}
	const view = viewPopup(popup, {columns, most, top, waiting: waitingFor(self, app)});
	self.top = view.top;
	self.page = Math.max(1, view.shown);
	self.seen = {highlighted: popup.entries[popup.selected], entries: popup.entries.slice(view.top, view.top + view.shown)};
	return view.rows;
}

function isWaiting(self: Self): boolean {
	return self.popup.token !== undefined && !isAnswered(self.popup);
}

function waitingFor(self: Self, app: App): string | undefined {
	if (!isWaiting(self) || app.options.now() < self.since + patience) return undefined;
	return self.connected ? 'looking …' : 'The session is being opened …';
}

function press(self: Self, app: App, key: Key): boolean {
	const {popup} = self;
	// While a card asks, the popup is not on the screen.
	if (popup.token === undefined || asksOf(app.state).length > 0) return false;
	const action = app.state.setup.keymap.action(key);
	const step = action === undefined ? undefined : steps[action];
	if (step !== undefined && popup.entries.length > 0) {
		self.popup = highlight(popup, step(self.page));
		return true;
	}
	if (action === undefined) return key.text === '/' && drillBySlash(self, app);
	return performers[action]?.(self, app) === true;
}

const up = () => -1;
const down = () => 1;
const steps: {readonly [Name in ActionName]?: (page: number) => number} = {up, down, 'previous draft': up, 'next draft': down, 'page up': page => -page, 'page down': page => page};

const performers: {readonly [Name in ActionName]?: (self: Self, app: App) => boolean} = {
	pause(self, app) {
		if (!isShown(self.popup, waitingFor(self, app))) return false;
		self.popup = closed(self.popup);
		self.asker?.want(undefined);
		return true;
	},
	submit(self, app) {
		const entry = pickable(self);
		if (endsInBackslash(app)) return false;
		if (entry === undefined) return self.popup.moved;
		if (isWritten(self.popup, entry)) {
			if (entry.type !== 'command') put(self, app, entry, false);
			return false;
		}
		if (drill(self, app, entry)) return true;
		put(self, app, entry, true);
		// A command that needs nothing more is left to whoever runs it.
		return !(entry.type === 'command' && commandOf(entry.name).argument === undefined);
	},
	pick(self, app) {
		const entry = pickable(self);
		if (entry === undefined) return self.popup.moved;
		if (!drill(self, app, entry)) put(self, app, entry, entry.type !== 'path');
		return true;
	},
};

/** The highlighted entry, if the person has seen it. */
function pickable({popup, seen}: Self): Entry | undefined {
	const entry = popup.entries[popup.selected];
	const wasSeen = isSameEntry(entry, seen?.highlighted) || (popup.moved && seen?.entries.some(one => isSameEntry(one, entry)) === true);
	return wasSeen ? entry : undefined;
}

/** Enter behind a backslash is a newline. */
function endsInBackslash({state: {composer}}: App): boolean {
	const {draft, cursor} = composer.editor;
	return draft[cursor.line]![cursor.column - 1] === '\\';
}

function put(self: Self, app: App, entry: Entry, space: boolean): void {
	if (self.popup.token !== undefined) update(app, putEntry(self.popup.token, entry, space));
}

/** Goes into a directory. */
function drill(self: Self, app: App, entry: Entry | undefined): boolean {
	const {token} = self.popup;
	const action = token !== undefined && entry?.type === 'path' && entry.directory ? putDirectory(token, entry.path) : undefined;
	if (action === undefined) return false;
	update(app, action);
	return true;
}

/** A slash goes into the highlighted directory, unless it goes on with what is written: `..`, `~`, or nothing yet. */
function drillBySlash(self: Self, app: App): boolean {
	const {popup} = self;
	if (popup.token?.kind !== 'path' || popup.token.suffix !== '' || app.state.composer.editor.cursor.column !== popup.token.end) return false;
	const written = `${popup.token.text}/`;
	const named = popup.entries.find(entry => entry.type === 'path' && entry.path === written);
	if (!popup.moved && (named !== undefined || /^(?:|~|(?:.*\/)?\.{0,2})$/.test(popup.token.text))) return false;
	return drill(self, app, pickable(self));
}
