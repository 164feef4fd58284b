import {showAlert, type App} from '../app.ts';
import {noEarlierMessage, noLaterMessage, nothingToOpen} from '../texts.ts';
import {blockToOpen, turnToRead} from '../../model/scroll/read-again.ts';

/** Makes a screen reader read an earlier or a later turn again. Its lines cannot scroll. */
export function readTurn(app: App, by: -1 | 1): void {
	const {store, readAgain} = app.state.transcript;
	if (store === undefined) return;
	const turn = turnToRead(store, readAgain, by);
	if (turn !== undefined) app.dispatch({type: 'read again', ...turn});
	else showAlert(app, {level: 'info', text: by < 0 ? noEarlierMessage : noLaterMessage});
}

/** Opens the nearest shortened block, or that of the current match, and makes a screen reader read it as a whole. */
export function readWhole(app: App): void {
	const {search} = app.state;
	const {store, readAgain} = app.state.transcript;
	if (store === undefined) return;
	const match = search.open?.current;
	const block = match === undefined ? blockToOpen(store, readAgain) : store.block(match.index);
	if (block === undefined) {
		showAlert(app, {level: 'info', text: nothingToOpen});
		return;
	}
	if (store.folds(block.kind) && !store.isDetailed(block.id)) store.toggle(block.id);
	app.dispatch({type: 'transcript changed'});
	app.dispatch({type: 'read again', from: block.id, count: 1});
}
