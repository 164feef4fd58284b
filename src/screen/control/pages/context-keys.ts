import {chordOf} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import type {App} from '../app.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import {changeContext, showInTranscript} from './context-effects.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {roomOf} from '../../view/pages/context-rows.ts';
import type {ContextChange, ContextPage} from '../../model/pages/context-state.ts';

/**
Handles a key on the context page. Keys move in the list. Enter shows the chosen item in the transcript, d drops it, p
pins or unpins it, x prunes the output of a tool, and r restores it.
*/
export function pressOnContext(app: App, {ledger, list}: ContextPage, key: Key, size: PageSize): boolean {
	const {keymap} = app.state.setup;
	const [count, room] = [ledger.rows.length, roomOf(ledger, size)];
	const moved = moveInList(list, key, {keymap, count, room});
	if (moved !== undefined) {
		app.dispatch({type: 'choose on page', list: moved});
		return true;
	}
	const row = ledger.rows[withinList(list, count, room).at];
	const change = changes[chordOf(key)];
	if (row === undefined) return false;
	if (keymap.action(key) === 'submit') showInTranscript(app, row);
	else if (change !== undefined) void changeContext(app, change, row);
	else return false;
	return true;
}

const changes: {readonly [chord: string]: ContextChange | undefined} = {d: 'drop', p: 'pin', x: 'prune', r: 'restore'};
