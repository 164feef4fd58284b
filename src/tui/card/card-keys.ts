import {flatten, type Ask} from '../../pod/protocol.ts';
import {asksOf, say, statusOf, tell, update, type App} from '../state/app.ts';
import {actionOfKey} from '../composer/composer-state.ts';
import {isEmpty} from '../composer/draft.ts';
import {toSegments} from '../composer/segments.ts';
import type {ActionName} from '../keys.ts';
import type {Press} from '../state/press.ts';
import type {Key} from '../screen/stdin.ts';
import {answerDelay, deadlineOf, stepAnswering, type AnsweringEffect, type AnsweringEvent} from './answering.ts';
import {cardKeyOf} from './card-key.ts';
import {factsOf, newCard, refusalOf, type Card} from './card.ts';
import {cardStatus, hintOf, type Hint} from './notes.ts';

/**
Gives a key to the card. It takes what answers, what scrolls a detail that does not fit, and all that types or edits: that
goes to the draft. `submit` sends the draft as a message. False: the key is for somebody else.
*/
export function pressOnCard(app: App, key: Key, {alone, bare, isHeld}: Press, submit: (app: App) => void): boolean {
	if (app.state.card === undefined) return false;
	if (scrollCard(app, key)) return true;
	const {keymap} = app.state.setup; const {now} = app.options;
	const event = {type: 'key', key: cardKeyOf(key, keymap), at: now(), alone, bare, isHeld} as const;
	const edit = () => {
		const action = actionOfKey(key, keymap);
		if (action !== undefined) update(app, action);
	};
	return step(app, event, {edit, submit: () => submit(app)});
}

/** Gives a paste to the draft, since a card is up. False: there is none. */
export function pasteOnCard(app: App, text: string): boolean {
	return app.state.card !== undefined && step(app, {type: 'paste'}, {edit: () => update(app, {type: 'paste', text})});
}

/** Scrolls the card by so many rows, down or up. */
export function scrollCardBy(app: App, rows: number): void {
	moveCard(app, ({scroll}) => scroll + rows);
}

/** Puts the card of the first question on the screen. What is in the draft then is a message. */
export function followAsks(app: App): void {
	const [ask] = asksOf(app.state);
	if (ask?.id === app.state.card?.id) return;
	app.dispatch({type: 'set card', card: ask && newCard(ask, isEmpty(app.state.composer.editor.draft))});
}

/** Tells the card that the draft has changed. `isPut`: not by a key. */
export function stepDraft(app: App, isPut: boolean): void {
	step(app, {type: 'draft', isPut});
}

/** Tells the card that it was drawn. What is due takes effect after the keys that arrived meanwhile were read. */
export function drewCard(app: App): void {
	const {card, isAway} = app.state; const {frame: {ask}} = app;
	if (card === undefined || ask === undefined || isAway) return;
	const at = app.options.now();
	step(app, {type: 'drawn', at});
	if (ask.scroll + ask.shown >= ask.total && !card.answering.isSeen) step(app, {type: 'seen'});
	const due = deadlineOf(card.answering);
	if (due !== undefined && at >= due) setImmediate(() => tickCard(app));
}

/** Tells the card that another program has the terminal, or had it. */
export function hideCard(app: App): void {
	step(app, {type: 'hidden'});
}

/** Tells the card that a key or report is under way. */
export function awaitRest(app: App): void {
	step(app, {type: 'part', at: app.options.now()});
}

/** Tells the card that the Escape key before was the beginning of a sequence. */
export function takeEscapeBack(app: App): void {
	step(app, {type: 'late'});
}

/** Whether a key may change what is asked: it came alone, and the whole card was on the screen for a moment. Says why not. */
export function mayBypassCard(app: App, {alone, isHeld}: Press): boolean {
	const {card} = app.state;
	if (card === undefined) return true;
	const {drawnAt = Number.POSITIVE_INFINITY, isSeen} = card.answering;
	const isEarly = app.options.now() - drawnAt < answerDelay || drawnAt === Number.POSITIVE_INFINITY;
	const note = alone ? (isHeld ? 'held' : isEarly ? 'early' : isSeen ? undefined : 'unseen') : 'together';
	if (note !== undefined) app.dispatch({type: 'set card', card: {...card, answering: {...card.answering, note}}});
	return note === undefined;
}

/** When the card changes by itself. */
export function nextCardChange({state: {card}}: App): number | undefined {
	if (card === undefined) return undefined;
	const {drawnAt} = card.answering;
	return deadlineOf(card.answering) ?? (drawnAt === undefined ? undefined : drawnAt + answerDelay);
}

/** What the row above the composer says. */
export function hintOnCard(app: App): Hint | undefined {
	const [ask] = asksOf(app.state);
	if (ask === undefined || app.state.card === undefined) return undefined;
	return hintOf(ask, app.state.card.answering, {isDraftEmpty: isEmpty(app.state.composer.editor.draft), queues: statusOf(app.state).kind === 'running', now: app.options.now()});
}

/** What an empty composer says while a card is up. */
export function cardPlaceholder(app: App): string {
	const [ask] = asksOf(app.state);
	return ask?.choices[refusalOf(ask)]?.reason === true ? 'Type a reason to deny with it' : 'Choose an option above';
}

/** What the status line says of the card. */
export function statusOnCard(app: App): string {
	const {card} = app.state;
	return card === undefined ? 'choose an option' : cardStatus(card.answering, isEmpty(app.state.composer.editor.draft), app.options.now());
}

function tickCard(app: App): void {
	step(app, {type: 'time', at: app.options.now()});
	app.changed('now');
}

/** What is done with the key or paste itself: it changes the draft, or sends it. */
type Own = {readonly edit?: () => void; readonly submit?: () => void};

/** Does what an event makes of the card. False: the event is for somebody else. */
function step(app: App, event: AnsweringEvent, own: Own = {}): boolean {
	const [ask] = asksOf(app.state);
	const {card} = app.state;
	if (ask === undefined || card === undefined || ask.id !== card.id) return false;
	const {state, effects} = stepAnswering(card.answering, event, draftFacts(app, ask));
	const isOther = (state.confirming === undefined) !== (card.answering.confirming === undefined);
	app.dispatch({type: 'set card', card: {...card, answering: state, ...(isOther && {scroll: 0})}});
	for (const effect of effects) runEffect(app, ask, effect, own);
	return effects.every(({type}) => type !== 'pass');
}

function runEffect(app: App, ask: Ask, effect: AnsweringEffect, {edit, submit}: Own): void {
	if (effect.type === 'edit') edit?.();
	else if (effect.type === 'type') update(app, {type: 'insert', text: effect.text});
	else if (effect.type === 'submit') submit?.();
	else if (effect.type === 'answer') void answer(app, ask, effect.choice, effect.withReason);
}

async function answer(app: App, ask: Ask, choice: string, withReason: boolean): Promise<void> {
	const own = app.state.ownAsks.find(({ask: {id}}) => id === ask.id);
	if (own !== undefined) {
		own.settle(choice);
		return;
	}
	const segments = withReason ? toSegments(app.state.composer.editor.draft) : [];
	if (withReason) update(app, {type: 'clear'});
	const reason = flatten(segments).trim();
	const receipt = await say(app, {method: 'answer', askId: ask.id, choice, ...(reason !== '' && {reason})});
	if (receipt.accepted) return;
	if (segments.length > 0) update(app, {type: 'returned', segments});
	step(app, {type: 'refused'});
	tell(app, {level: 'warn', text: receipt.sentence});
}

/** The length is asked for only where there is a draft: it is at most that of a paste. */
function draftFacts({state: {composer: {editor: {draft}}}}: App, ask: Ask) {
	const isDraftEmpty = isEmpty(draft);
	return factsOf(ask, {isEmpty: isDraftEmpty, length: isDraftEmpty ? 0 : flatten(toSegments(draft)).length});
}

/** The keys that scroll the transcript scroll the card while there is more of it than it shows. */
function scrollCard(app: App, key: Key): boolean {
	const {ask} = app.frame;
	const action = app.state.setup.keymap.action(key);
	const move = action === undefined ? undefined : moves[action];
	if (ask === undefined || ask.shown >= ask.total || move === undefined) return false;
	moveCard(app, move);
	return true;
}

/** Several keys may come between two frames: what moves is the card, not the last frame of it. */
function moveCard(app: App, move: (window: Window) => number): void {
	const {card} = app.state; const {frame: {ask}} = app;
	if (card === undefined || ask === undefined) return;
	const last = Math.max(0, ask.total - ask.shown);
	const scroll = Math.max(0, Math.min(move({...ask, scroll: Math.min(card.scroll, last)}), last));
	app.dispatch({type: 'set card', card: {...card, scroll} satisfies Card});
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
