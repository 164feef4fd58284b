import {dismissAlerts, say, tell, update, type App} from '../state/app.ts';
import {switchTo} from '../commands/switch-to.ts';
import {chordOf} from '../keys.ts';
import {listStart, moveInList, withinList} from '../overlay/list.ts';
import {holdKeys} from '../hold/hold-keys.ts';
import type {LivePage} from '../overlay/page.ts';
import type {Key} from '../screen/stdin.ts';
import {offerFiles} from './files-card.ts';
import {pointsOf, type Entry, type Point, type Undo} from './points.ts';
import {entryRow, titleRow} from './rewind-rows.ts';

/** Shows the person's messages, newest first, to go back to before one of them. Answers a sentence when there is nothing to go back to. */
export function openRewind(app: App): string | undefined {
	if (entriesOf(app).length === 0) return 'There is no message yet that could be gone back to.';
	dismissAlerts(app);
	app.dispatch({type: 'set page', page: rewindPage(app)});
	return undefined;
}

/** Enter goes back, in the list with the messages of the session as it is; f forks before a message; u undoes the last rewind. */
function rewindPage(app: App): LivePage {
	const {keymap} = app.state.setup;
	let entries = entriesOf(app);
	let list = listStart;
	let room = 1;

	function choose(key: Key): boolean {
		const entry = entries[list.at];
		if (entry === undefined) return false;
		if (keymap.action(key) === 'submit') void holdKeys(app, async () => (entry.kind === 'point' ? goBack(app, entry.point) : undo(app, entry.undo)));
		else if (chordOf(key) === 'f' && entry.kind === 'point') void holdKeys(app, async () => fork(app, entry.point));
		else return false;
		return true;
	}

	return {
		press(key) {
			const moved = moveInList(list, key, {keymap, count: entries.length, room});
			if (moved !== undefined) list = moved;
			return moved !== undefined || choose(key);
		},
		rows(columns, height) {
			room = Math.max(1, height - 1);
			list = withinList(list, entries.length, room);
			const shown = entries.slice(list.top, list.top + room);
			const rows = shown.map((entry, index) => entryRow(entry, {columns, now: Date.now(), isChosen: list.top + index === list.at}));
			return height < 2 ? rows : [titleRow({columns, count: entries.length, ...list, room}), ...rows];
		},
		heard(event) {
			if (event.type !== 'item' && event.type !== 'snapshot') return;
			entries = entriesOf(app);
			list = withinList(list, entries.length, room);
		},
	};
}

function entriesOf({state: {transcript: store}}: App): readonly Entry[] {
	if (store === undefined) return [];
	const {points, undo} = pointsOf(store.transcript.folded);
	return [...(undo === undefined ? [] : [{kind: 'undo' as const, undo}]), ...points.map(point => ({kind: 'point' as const, point}))];
}

/** Asks whether files are restored too. Then the words of the message become the draft: a digit answers on an empty one. */
async function goBack(app: App, {to, segments}: Point): Promise<boolean> {
	const receipt = await say(app, {method: 'rewind', to});
	if (!receipt.accepted) {
		tell(app, {level: 'error', text: receipt.sentence});
		return false;
	}
	app.dispatch({type: 'set page', page: undefined});
	app.changed('now');
	await offerFiles(app, to);
	update(app, {type: 'returned', segments});
	app.changed('now');
	return false;
}

async function undo(app: App, {id}: Undo): Promise<boolean> {
	const receipt = await say(app, {method: 'context', op: 'restore', ids: [id]});
	if (receipt.accepted) app.dispatch({type: 'set page', page: undefined});
	tell(app, receipt.accepted ? {level: 'info', text: 'The rewind is undone. Files stay as they are.'} : {level: 'error', text: receipt.sentence});
	return false;
}

async function fork(app: App, {to, segments}: Point): Promise<boolean> {
	const sentence = await switchTo(app, {kind: 'fork', upTo: to}, segments);
	if (sentence !== undefined) tell(app, {level: 'error', text: sentence});
	return sentence === undefined;
}
