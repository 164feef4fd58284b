import type {Status} from '../pod/protocol.ts';
import {nextPassing} from './alerts/alerts.ts';
import {asksOf, statusOf, update, type App} from './state/app.ts';
import {cardPlaceholder, drewCard, hintOnCard, nextCardChange, statusOnCard} from './card/card-keys.ts';
import {placeholderFor} from './composer/composer-view.ts';
import {firstPicture} from './first-picture.ts';
import {layOut, newText, type Above, type Frame, type Marks, type Size} from './frame.ts';
import {showChord, type ActionName} from './keys.ts';
import type {Picture} from './screen/compositor.ts';
import {lineRows, type Row} from './text/row.ts';
import {statusRow, type StatusFacts} from './status/status-line.ts';
import type {Mark} from './text/paint-row.ts';
import type {Theme} from './text/theme.ts';
import type {VisibleRow} from './transcript/viewport.ts';

/** Makes the frame of this moment, at a size. */
export function draw(app: App, size: Size): Frame {
	if (size.columns !== app.state.size.columns) app.state.transcript?.setLayout({columns: size.columns});
	if (size.columns !== app.state.size.columns || size.rows !== app.state.size.rows) app.dispatch({type: 'resize', size});
	app.dispatch({type: 'tick'});
	const {keymap} = app.state.setup;
	app.frame = layOut({
		...app.state,
		store: app.state.transcript,
		placeholder: app.state.card === undefined ? placeholderFor(keymap.chords('newline').map(showChord)[0]) : cardPlaceholder(app),
		asks: asksOf(app.state),
		hint: hintOnCard(app),
		now: app.options.now(),
		end: keymap.chords('bottom').slice(0, 1).map(chord => ` · ${showChord(chord)}`).join(''),
		marks: rows => marksOn(app, rows),
		above: (...room) => rowsAbove(app, ...room),
		overlay: (...room) => overlayOf(app, ...room),
	}, size);
	app.frame = {...app.frame, status: [statusRow(statusFacts(app), size.columns, app.options.now())], welcome: welcomeRows(app, size.columns)};
	update(app, {type: 'scrolled', top: app.frame.composer.top});
	drewCard(app);
	return app.frame;
}

/** The frame that was made last, painted. */
export function pictureOf(app: App, theme: Theme): Picture {
	return firstPicture(app.frame, theme);
}

/** When the screen changes by itself: an alert passes, Ctrl+C stops meaning quit, a card takes answers, or a second less is left to the next try. */
export function nextChange(app: App): number | undefined {
	const now = app.options.now();
	const parts = app.options.parts.map(part => part.nextChange?.(app));
	const answers = nextCardChange(app) ?? 0;
	const reading = app.state.ending === undefined ? 0 : app.state.ending.since + quietly;
	const opening = app.state.hold === undefined ? 0 : app.state.hold.since + quietly;
	const times = [nextPassing(app.state.alerts), nextSecond(statusOf(app.state), now), ...[app.state.quitUntil, answers, reading, opening].filter(time => time > app.frame.at), ...parts].filter(time => time !== undefined);
	return times.length === 0 ? undefined : Math.min(...times);
}

function nextSecond({kind, retryAt = 0}: Status, now: number): number | undefined {
	return kind === 'running' && retryAt > now ? now + ((retryAt - now) % 1000 || 1000) : undefined;
}

function welcomeRows({state: {setup}}: App, columns: number): Row[] {
	return setup.welcome.flatMap(spans => lineRows(spans, {columns, gutter: {text: ' '}}));
}

export function statusFacts(app: App): StatusFacts {
	return {
		session: app.state.transcript?.transcript.session ?? app.state.setup.session,
		status: app.state.ownAsks.length === 0 ? statusOf(app.state) : {...statusOf(app.state), asks: asksOf(app.state)},
		hints: hints(app),
		notes: notes(app),
		...(app.state.setup.home !== undefined && {home: app.state.setup.home}),
	};
}

function rowsAbove(app: App, columns: number, most: number): Above {
	const {parts} = app.options;
	const writing = most > 0 ? parts.find(part => part.caret?.(app, columns) !== undefined) : undefined;
	if (writing !== undefined) return {rows: (writing.rows?.(app, columns, most) ?? []).slice(0, most), caret: writing.caret?.(app, columns)};
	const rows: Row[] = [];
	for (const part of parts) {
		const left = most - rows.length;
		if (left > 0) rows.push(...(part.rows?.(app, columns, left) ?? []).slice(0, left));
	}
	return {rows};
}

function marksOn(app: App, rows: readonly VisibleRow[]): Marks {
	const all = app.options.parts.map(part => part.marks?.(app, rows)).filter(marks => marks !== undefined && marks.size > 0);
	if (all.length < 2) return all[0] ?? new Map();
	const joined = new Map<string, readonly Mark[]>();
	for (const marks of all) for (const [key, list] of marks!) joined.set(key, [...(joined.get(key) ?? []), ...list]);
	return joined;
}

function overlayOf(app: App, columns: number, height: number): readonly Row[] | undefined {
	for (const part of app.options.parts) {
		const rows = part.overlay?.(app, columns, height);
		if (rows !== undefined) return rows;
	}
	return undefined;
}

function hints(app: App): string[] {
	const {kind} = statusOf(app.state);
	const hint = (name: ActionName, what: string) => app.state.setup.keymap.chords(name).slice(0, 1).map(chord => `${showChord(chord)} ${what}`);
	if (app.state.quitUntil > app.options.now()) return hint('cancel', 'again quits');
	if (asksOf(app.state).length > 0) return [statusOnCard(app)];
	if (kind === 'running') return [...hint('pause', 'stops'), ...hint('cancel', 'cancels'), ...(app.state.queue.length > 0 ? hint('steer', 'steers') : [])];
	if (kind === 'paused') return [...hint('submit', 'goes on'), ...hint('cancel', 'gives up')];
	return [...(app.state.queue.length > 0 ? hint('submit', 'sends') : []), ...hint('switch view', 'view'), ...hint('erase right or quit', 'quits')];
}

function notes(app: App): string[] {
	const {transcript: {below}, between} = app.frame;
	const hasPill = between[0]?.role === 'pill';
	const {ending} = app.state;
	const reading = ending !== undefined && (ending.wanted.length > 0 || app.options.now() >= ending.since + quietly) ? ['reading the rest…'] : [];
	const opening = app.state.hold !== undefined && app.options.now() >= app.state.hold.since + quietly ? ['opening…'] : [];
	const scrolled = app.state.scroll.follow ? [] : [below > 0 && !hasPill ? newText(below) : '↓ scrolled'];
	const view = app.state.transcript?.layout.view;
	return [...reading, ...opening, ...scrolled, ...(view === undefined || view === 'normal' ? [] : [view]), ...(app.state.setup.mouse === true && !app.state.mouse ? ['mouse off'] : [])];
}

/** Milliseconds for which nothing is said of the rest of a session that is being read: mostly it is there by then. */
const quietly = 300;
