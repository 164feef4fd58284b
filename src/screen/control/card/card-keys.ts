import type {App} from '../app.ts';
import {actionOfKey} from '../../model/composer/composer-state.ts';
import type {ActionName} from '../../model/keys/keymap.ts';
import type {Press} from '../../model/keys/keys-state.ts';
import type {Key} from '../../terminal/input/input.ts';
import type {AnsweringEvent} from '../../model/card/events.ts';
import {cardKeyOf} from './card-key.ts';
import {bypassNote, stepCard} from '../../model/card/card-step.ts';
import {composerRows, viewComposer} from '../../model/composer/composer-view.ts';
import type {AppState} from '../../model/app-state.ts';
import {asksOf, originsOnCard} from '../../model/selectors.ts';
import {cardHint, cardPlaceholder} from '../../view/card/card-facts.ts';
import {maxCardRows, viewCard, type AskView} from '../../view/card/card-view.ts';

/**
Handles a key on the card. The key answers the card, scrolls a long detail, or edits the draft. Returns false if the
card does not use the key.
*/
export function pressOnCard(app: App, key: Key, {alone, bare, isHeld}: Press): boolean {
	if (app.state.asks.card === undefined) return false;
	if (scrollByKey(app, key)) return true;
	const {keymap} = app.state.setup;
	const event = {type: 'key', key: cardKeyOf(key, keymap), at: app.options.now(), alone, bare, isHeld} as const;
	const step = stepCard(app.state, event);
	app.dispatch({type: 'card event', event, edit: actionOfKey(key, keymap)});
	return step !== undefined && step.effects.every(({type}) => type !== 'pass');
}

/** Pastes into the draft while a card is open. Returns false when no card is open. */
export function pasteOnCard(app: App, text: string): boolean {
	const event = {type: 'paste'} as const;
	if (stepCard(app.state, event) === undefined) return false;
	app.dispatch({type: 'card event', event, edit: {type: 'paste', text}});
	return true;
}

/** Scrolls the card by a number of rows. A negative number scrolls up. */
export function scrollCardBy(app: App, rows: number): void {
	scrollTo(app, ({scroll}) => scroll + rows);
}

/** Reports a changed draft to the card. `isSetByProgram`: inkpod itself changed the draft, not a key. */
export function stepDraft(app: App, isSetByProgram: boolean): void {
	report(app, {type: 'draft', isSetByProgram});
}

/** Reports to the card that another program uses the terminal, or has used it. */
export function hideCard(app: App): void {
	report(app, {type: 'hidden'});
}

/** Reports to the card that only a part of an escape sequence has arrived. */
export function awaitRest(app: App): void {
	report(app, {type: 'part', at: app.options.now()});
}

/** Reports to the card that the previous Esc was the beginning of an escape sequence. */
export function takeEscapeBack(app: App): void {
	report(app, {type: 'late'});
}

/**
Tells whether a key may change the request while a card is open. The key must have come alone, and the whole card must
have been on the screen for a moment. Otherwise shows the reason on the card.
*/
export function mayBypassCard(app: App, press: Press): boolean {
	const note = bypassNote(app.state, press, app.options.now());
	if (note !== undefined) app.dispatch({type: 'note on card', note});
	return note === undefined;
}

function report(app: App, event: AnsweringEvent): void {
	if (app.state.asks.card !== undefined) app.dispatch({type: 'card event', event});
}

/**
Handles a key that scrolls. While the card has more rows than it shows, the scroll keys of the transcript scroll the
card instead.
*/
function scrollByKey(app: App, key: Key): boolean {
	const action = app.state.setup.keymap.action(key);
	const move = action === undefined ? undefined : moves[action];
	return move !== undefined && scrollTo(app, move);
}

/** Scrolls the card. Returns false if the card shows its whole detail. */
function scrollTo(app: App, move: (window: Window) => number): boolean {
	const view = cardOnScreen(app.state);
	if (view === undefined || view.shown >= view.total) return false;
	const scroll = Math.max(0, Math.min(move(view), view.total - view.shown));
	app.dispatch({type: 'scroll card', scroll});
	return true;
}

type Window = {readonly scroll: number; readonly shown: number; readonly total: number};

const moves: {readonly [Name in ActionName]?: (window: Window) => number} = {
	'page up': ({scroll, shown}) => scroll - Math.max(1, shown - 1),
	'page down': ({scroll, shown}) => scroll + Math.max(1, shown - 1),
	'row up': ({scroll}) => scroll - 1,
	'row down': ({scroll}) => scroll + 1,
	top: () => 0,
	bottom: ({total}) => total,
};

/** Returns the view of the card that the screen shows in this state. */
function cardOnScreen(state: AppState): AskView | undefined {
	const {composer} = state;
	const {columns, rows} = state.terminal.size;
	const below = viewComposer(composer, composerRows(rows), cardPlaceholder(state)).rows.length;
	const hints = cardHint(state) === undefined ? 0 : 1;
	const {isSplit} = state.display;
	const {isSpoken} = state.setup;
	const facts = {asks: asksOf(state), card: state.asks.card, isSplit, isSpoken, origins: originsOnCard(state)};
	return viewCard(facts, columns, maxCardRows(rows, below + hints));
}
