import {nextPassing} from './alerts/alerts.ts';
import {asksOf, update, type App} from './state/app.ts';
import {cardShown} from './card/card-effects.ts';
import {cardHint, cardPlaceholder, nextCardChange} from './card/card-facts.ts';
import {placeholderFor} from './composer/composer-view.ts';
import {firstPicture} from './first-picture.ts';
import {layOut, type Above, type Frame, type Marks, type Size} from './frame.ts';
import {showChord} from './keys.ts';
import type {Picture} from './screen/compositor.ts';
import {lineRows, type Row} from './text/row.ts';
import {nextSecond, statusFacts, statusTimes} from './status/status-facts.ts';
import {statusRow} from './status/status-line.ts';
import type {Mark} from './text/paint-row.ts';
import type {Theme} from './text/theme.ts';
import type {VisibleRow} from './transcript/viewport.ts';

/** Makes the frame of this moment, at a size. */
export function draw(app: App, size: Size): Frame {
	if (size.columns !== app.state.size.columns) app.state.transcript?.setLayout({columns: size.columns});
	if (size.columns !== app.state.size.columns || size.rows !== app.state.size.rows) app.dispatch({type: 'resize', size});
	app.dispatch({type: 'tick'});
	const {card, setup: {keymap}} = app.state;
	const newline = keymap.chords('newline').map(showChord)[0];
	app.frame = layOut({
		...app.state,
		store: app.state.transcript,
		placeholder: card === undefined ? placeholderFor(newline) : cardPlaceholder(app.state),
		asks: asksOf(app.state),
		hint: cardHint(app.state),
		now: app.state.now,
		end: keymap.chords('bottom').slice(0, 1).map(chord => ` · ${showChord(chord)}`).join(''),
		marks: rows => marksOn(app, rows),
		above: (...room) => rowsAbove(app, ...room),
		overlay: (...room) => overlayOf(app, ...room),
	}, size);
	const {transcript: {below}, between} = app.frame;
	const facts = statusFacts(app.state, {below, hasPill: between[0]?.role === 'pill'});
	const status = [statusRow(facts, size.columns, app.state.now)];
	app.frame = {...app.frame, status, welcome: welcomeRows(app, size.columns)};
	update(app, {type: 'scrolled', top: app.frame.composer.top});
	cardShown(app, app.frame.ask);
	for (const part of app.options.parts) part.shown?.(app, app.frame);
	return app.frame;
}

/** The frame that was made last, painted. */
export function pictureOf(app: App, theme: Theme): Picture {
	return firstPicture(app.frame, theme);
}

/**
When the screen changes by itself: an alert passes, Ctrl+C stops meaning quit, a card takes answers, or a second less is
left to the next try.
*/
export function nextChange(app: App): number | undefined {
	const now = app.options.now();
	const parts = app.options.parts.map(part => part.nextChange?.(app));
	const own = [...statusTimes(app.state), nextCardChange(app.state) ?? 0].filter(time => time > app.frame.at);
	const all = [nextPassing(app.state.alerts), nextSecond(app.state, now), ...own, ...parts];
	const times = all.filter(time => time !== undefined);
	return times.length === 0 ? undefined : Math.min(...times);
}

function welcomeRows({state: {setup}}: App, columns: number): Row[] {
	return setup.welcome.flatMap(spans => lineRows(spans, {columns, gutter: {text: ' '}}));
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
