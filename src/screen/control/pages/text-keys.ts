import {chordOf} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import type {App} from '../app.ts';
import {byAction} from '../../model/pages/by-action.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {keptTop, type HelpPage, type TextPage} from '../../model/pages/text-page.ts';
import {helpTextRows, roomOf as helpRoomOf} from '../../view/pages/help-page.ts';
import {roomOf, textRows} from '../../view/pages/text-rows.ts';

/** Handles a key that scrolls the text. */
export function pressOnText(app: App, {lines, top}: TextPage, key: Key, {columns, height}: PageSize): boolean {
	const total = textRows(lines, columns, app.state.display.isSplit).length;
	return scroll(app, key, {top, total, room: roomOf(height)});
}

/** Handles a key that scrolls the help. A space is a part of the query. */
export function pressOnHelp(app: App, page: HelpPage, key: Key, {columns, height}: PageSize): boolean {
	if (key.text !== undefined) return false;
	return scroll(app, key, {top: page.top, total: helpTextRows(page, columns).length, room: helpRoomOf(height)});
}

type Window = {readonly top: number; readonly total: number; readonly room: number};

function scroll(app: App, key: Key, {top, total, room}: Window): boolean {
	const action = app.state.setup.keymap.action(key);
	const move = moves[chordOf(key)] ?? (action === undefined ? undefined : remapped[action]);
	if (move === undefined) return false;
	const to = move({top: keptTop(top, total, room), page: Math.max(1, room - 1), total});
	app.dispatch({type: 'scroll page', top: keptTop(to, total, room)});
	return true;
}

type Place = {readonly top: number; readonly page: number; readonly total: number};

type Move = (place: Place) => number;

const keys = {
	up: ({top}) => top - 1,
	down: ({top}) => top + 1,
	pageup: ({top, page}) => top - page,
	pagedown: ({top, page}) => top + page,
	space: ({top, page}) => top + page,
	home: () => 0,
	'ctrl+home': () => 0,
	end: ({total}) => total,
	'ctrl+end': ({total}) => total,
} satisfies Readonly<Record<string, Move>>;

const moves: Readonly<Record<string, Move>> = keys;
const remapped = byAction<Move>(keys);
