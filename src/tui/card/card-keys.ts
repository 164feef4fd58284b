import type {Ask} from '../../pod/protocol.ts';
import {say, statusOf, tell, update, type App} from '../app-state.ts';
import {actionOfKey} from '../composer/composer-state.ts';
import {isEmpty} from '../composer/draft.ts';
import type {ActionName} from '../keys.ts';
import type {Key} from '../screen/stdin.ts';
import {createQuery, editQuery, queryText, typed} from '../search/query.ts';
import {answerDelay, isListening, newCard, typingDelay, type Card} from './card.ts';
import {choiceOf, saysNo, type Choice} from './choices.ts';

/**
Gives a key to the card. It takes what answers, what scrolls a detail that does not fit, and all that writes while a reason is written.
What else types goes to the draft, and so does an answer's key in the first moments of a card and while the person is typing.
*/
export function pressOnCard(app: App, key: Key): boolean {
	const [ask] = statusOf(app).asks;
	const {card} = app;
	if (ask === undefined || card === undefined) return false;
	if (scrollCard(app, key)) return true;
	if (card.reason?.open === true) return pressReason(app, ask, card, card.reason, key);
	const choice = choiceOf(ask, key);
	if (choice !== undefined && (key.text === undefined || isListening(card, app.options.now()))) {
		if (card.seen || saysNo(choice)) choose(app, ask, card, choice);
		return true;
	}
	if (key.text === undefined) return key.name === 'enter' && isEmpty(app.composer.editor.draft);
	toDraft(app, card, key);
	return true;
}

/** Gives a paste to the reason that is being written. */
export function pasteOnCard(app: App, text: string): boolean {
	const {card} = app;
	if (card === undefined || card.reason?.open !== true) return false;
	app.card = {...card, reason: {...card.reason, text: typed(card.reason.text, text)}};
	return true;
}

/** Scrolls the card by so many rows, down or up. */
export function scrollCardBy(app: App, rows: number): void {
	moveCard(app, ({scroll}) => scroll + rows);
}

/** Puts the card of the first ask on the screen. A reason that was written on one that is gone, and went nowhere, becomes a draft. */
export function followAsks(app: App): void {
	const [ask] = statusOf(app).asks;
	const {card} = app;
	if (ask?.id === card?.id) return;
	app.card = ask && newCard(ask.id, app.options.now());
	returnReason(app, card?.reason === undefined ? '' : queryText(card.reason.text));
}

function choose(app: App, ask: Ask, card: Card, {choice, reason}: Choice): void {
	if (reason === true) app.card = {...card, reason: {choice, text: card.reason?.choice === choice ? card.reason.text : createQuery(), open: true}};
	else void say(app, {method: 'answer', askId: ask.id, choice});
}

type Reason = NonNullable<Card['reason']>;

function pressReason(app: App, ask: Ask, card: Card, reason: Reason, key: Key): boolean {
	const {keymap} = app.options;
	const action = keymap.action(key);
	const edited = editQuery(reason.text, key, keymap);
	if (key.name === 'escape' || action === 'pause') app.card = {...card, since: app.options.now(), rest: answerDelay, reason: {...reason, open: false}};
	else if (action === 'submit') void sendReason(app, ask, card, reason);
	else if (edited !== undefined) app.card = {...card, reason: {...reason, text: edited}};
	else return actionOfKey(key, keymap) !== undefined;
	return true;
}

async function sendReason(app: App, ask: Ask, {reason: _sent, ...card}: Card, {choice, text}: Reason): Promise<void> {
	app.card = card;
	const reason = queryText(text).trim();
	const receipt = await say(app, {method: 'answer', askId: ask.id, choice, ...(reason !== '' && {reason})});
	if (receipt.accepted) return;
	returnReason(app, reason);
	tell(app, {level: 'warn', text: receipt.sentence});
}

function returnReason(app: App, text: string): void {
	if (text !== '') update(app, {type: 'returned', segments: [{type: 'text', text}]});
}

function toDraft(app: App, card: Card, key: Key): void {
	const edit = actionOfKey(key, app.options.keymap);
	if (edit !== undefined) update(app, edit);
	app.card = {...card, since: app.options.now(), rest: typingDelay};
}

/** The keys that scroll the transcript scroll the card while there is more of it than it shows. */
function scrollCard(app: App, key: Key): boolean {
	const {ask} = app.frame;
	const action = app.options.keymap.action(key);
	const move = action === undefined ? undefined : moves[action];
	if (ask === undefined || ask.shown >= ask.total || move === undefined) return false;
	moveCard(app, move);
	return true;
}

/** Several keys may come between two frames: what moves is the card, not the last frame of it. */
function moveCard(app: App, move: (window: Window) => number): void {
	const {card, frame: {ask}} = app;
	if (card === undefined || ask === undefined) return;
	const last = Math.max(0, ask.total - ask.shown);
	app.card = {...card, scroll: Math.max(0, Math.min(move({...ask, scroll: Math.min(card.scroll, last)}), last))};
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
