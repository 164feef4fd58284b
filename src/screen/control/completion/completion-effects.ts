import type {App} from '../app.ts';
import type {AppState} from '../../model/app-state.ts';
import {realTimers} from '../timers.ts';
import type {Row} from '../../spans/row.ts';
import {createAsker, type Asker} from './asker.ts';
import type {SeenEntries} from '../../model/completion/completion-state.ts';
import {isEntryKey} from '../../model/completion/entries.ts';
import {queryOf} from '../../model/completion/popup.ts';

export function stopAsking(app: App): void {
	askers.get(app)?.stop();
}

/** Sends the popup's current query to the pod. */
export function askForPopup(app: App, before: AppState): void {
	const {popup} = app.state.completion;
	if (popup === before.completion.popup) return;
	const query = queryOf(popup);
	if (query !== undefined || askers.has(app)) askerOf(app).want(query);
}

/** Records which rows of the popup a frame showed, if that changed. */
export function reportSeen(app: App, rows: readonly Row[]): void {
	const {seen} = app.state.completion;
	const now = seenIn(rows);
	if (!isSameSeen(seen, now)) app.dispatch({type: 'completion shown', seen: now});
}

const askers = new WeakMap<App, Asker>();

function askerOf(app: App): Asker {
	const known = askers.get(app);
	if (known !== undefined) return known;
	const asker = createAsker({
		client: app.client.promise,
		answered(answer) {
			app.dispatch({type: 'completions came', answer});
			app.changed('now');
		},
		timers: app.options.timers ?? realTimers,
	});
	askers.set(app, asker);
	return asker;
}

function seenIn(rows: readonly Row[]): SeenEntries | undefined {
	const entries = rows.flatMap(({key, role}) => (key !== undefined && isEntryKey(key) ? [{key, role}] : []));
	if (entries.length === 0) return undefined;
	return {keys: entries.map(({key}) => key), highlighted: entries.find(({role}) => role === 'chosen')?.key};
}

function isSameSeen(one: SeenEntries | undefined, other: SeenEntries | undefined): boolean {
	if (one === undefined || other === undefined) return one === other;
	const isSame = one.keys.length === other.keys.length && one.keys.every((key, index) => key === other.keys[index]);
	return isSame && one.highlighted === other.highlighted;
}
