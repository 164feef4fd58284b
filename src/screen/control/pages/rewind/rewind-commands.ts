import {switchTo} from '../../commands/switch-to.ts';
import {holdKeys} from '../../hold-keys.ts';
import {dismissAlerts, send, showAlert, update, type App} from '../../app.ts';
import type {AppState} from '../../../model/app-state.ts';
import {mayOpenRewind} from '../../../model/selectors.ts';
import {offerFiles} from './files-card.ts';
import {pointsOf, type Entry, type Point, type Undo} from '../../../model/pages/rewind-points.ts';
import {rewindPage} from '../../../model/pages/rewind-state.ts';
import {noMessages, noMessageToUndo, rewindUndone} from '../../../model/pages/texts.ts';

/** Opens the rewind page. Returns a sentence when there is no message to go back to. */
export function openRewind(app: App): string | undefined {
	const entries = entriesOf(app.state);
	if (entries.length === 0) return noMessages;
	dismissAlerts(app);
	app.dispatch({type: 'open page', page: rewindPage(entries, Date.now())});
	return undefined;
}

/**
Opens the rewind page once a session exists, unless something else has opened. Resolves with whether the page is open.
*/
export async function askForRewind(app: App): Promise<boolean> {
	await app.opened.promise;
	if (!mayOpenRewind(app.state)) return false;
	const sentence = openRewind(app);
	if (sentence !== undefined) showAlert(app, {level: 'info', text: sentence});
	return sentence === undefined;
}

/** Lists the current messages of the session. */
export function listEntries(app: App): void {
	app.dispatch({type: 'rewind listed', entries: entriesOf(app.state), asOf: Date.now()});
	app.changed('now');
}

/**
Rewinds to before a message and asks whether to restore files. Then the message becomes the draft, because a digit
answers a card only when the draft is empty.
*/
export async function goBack(app: App, point: Point): Promise<boolean> {
	const sentence = await rewindBefore(app, point, () => app.dispatch({type: 'close page'}));
	if (sentence !== undefined) showAlert(app, {level: 'error', text: sentence});
	return false;
}

/**
Rewinds to before your last message, and asks about its files. Keys that you press meanwhile go to the draft. Resolves
with a sentence when this is not possible.
*/
export async function undoLast(app: App): Promise<string | undefined> {
	let sentence: string | undefined;
	await holdKeys(app, async () => {
		await app.opened.promise;
		const point = entriesOf(app.state).find(entry => entry.kind === 'point')?.point;
		// The command leaves the composer before the card, because a digit answers only when the draft is empty.
		const clear = () => update(app, {type: 'accepted'});
		sentence = point === undefined ? noMessageToUndo : await rewindBefore(app, point, clear);
		return false;
	});
	return sentence;
}

async function rewindBefore(app: App, {to, segments}: Point, onRewound: () => void): Promise<string | undefined> {
	const receipt = await send(app, {method: 'rewind', to});
	if (!receipt.accepted) return receipt.sentence;
	onRewound();
	await offerFiles(app, to);
	update(app, {type: 'returned', segments});
	app.changed('now');
	return undefined;
}

export async function undoRewind(app: App, {id}: Undo): Promise<boolean> {
	const receipt = await send(app, {method: 'context', op: 'restore', ids: [id]});
	if (receipt.accepted) app.dispatch({type: 'close page'});
	const undone = {level: 'info', text: rewindUndone} as const;
	showAlert(app, receipt.accepted ? undone : {level: 'error', text: receipt.sentence});
	return false;
}

/** Forks a session that ends before a message. The message becomes its draft. */
export async function forkBefore(app: App, {to, segments}: Point): Promise<boolean> {
	const sentence = await switchTo(app, {kind: 'fork', upTo: to}, segments);
	if (sentence !== undefined) showAlert(app, {level: 'error', text: sentence});
	return sentence === undefined;
}

function entriesOf({transcript: {store}}: AppState): readonly Entry[] {
	if (store === undefined) return [];
	const {points, undo} = pointsOf(store.transcript.folded);
	const undos = undo === undefined ? [] : [{kind: 'undo' as const, undo}];
	return [...undos, ...points.map(point => ({kind: 'point' as const, point}))];
}
