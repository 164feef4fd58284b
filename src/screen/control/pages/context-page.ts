import {chordOf} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {dismissAlerts, send, showAlert, type App} from '../app.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {roomOf} from '../../view/pages/context-rows.ts';
import {foundRows, planChange, type ContextChange, type ContextPage} from '../../model/pages/context-state.ts';
import {transcriptHeightOf} from '../geometry.ts';
import type {LedgerRow} from '../../../pod/protocol.ts';
import {settle, show} from '../../rows/viewport/viewport.ts';
import {contextRefusals} from '../../model/pages/texts.ts';
import {itemName} from '../../../transcript/fold-request.ts';

/**
Handles a key on the context page. Keys move in the list, and Ctrl+S sorts it. The other keys act on the highlighted
item: Enter shows it in the transcript, Ctrl+X drops it, Ctrl+T pins or unpins it, Ctrl+O prunes the output of a tool,
and Ctrl+R restores it. Ctrl+X, Ctrl+T and Ctrl+R also remove, pin and restore in the list of sessions.
*/
export function pressOnContext(app: App, page: ContextPage, key: Key, size: PageSize): boolean {
	const {keymap} = app.state.setup;
	const rows = foundRows(page);
	const [count, room] = [rows.length, roomOf(page.ledger, size)];
	const moved = moveInList(page.list, key, {keymap, count, room});
	const row = rows[withinList(page.list, count, room).at];
	const change = changes[chordOf(key)];
	if (moved !== undefined) app.dispatch({type: 'choose on page', list: moved});
	else if (chordOf(key) === 'ctrl+s') app.dispatch({type: 'sort context'});
	else if (row === undefined) return false;
	else if (keymap.action(key) === 'submit') showInTranscript(app, row.id);
	else if (change !== undefined) void changeContext(app, change, row);
	else return false;
	return true;
}

/** Reads the ledger, with one query at a time. A call while a query runs starts another query after it. */
export function readLedger(app: App): void {
	const isReading = asked.has(app);
	asked.set(app, 'again');
	if (!isReading) void readAll(app);
}

/**
Opens the page about a request to the model. This is the last request if `id` is empty, and otherwise the request whose
id begins with `id`.
*/
export async function showRequest(app: App, id: string): Promise<string | undefined> {
	const client = await app.client.promise;
	const [{requestPage}, answer] = await Promise.all([import('../../view/pages/request-page.ts'), client.request(id)]);
	if (!answer.ok) return answer.sentence;
	const page = requestPage(answer.request, item => nameIn(app, item));
	app.dispatch({type: 'open page', page});
	return undefined;
}

/** Closes the page and scrolls to the block of an item. A screen reader reads the block again. */
export function showInTranscript(app: App, id: string | undefined): void {
	const {store} = app.state.transcript;
	const index = id === undefined ? undefined : store?.transcript.folded.byItem.get(id);
	if (store === undefined || index === undefined) {
		showAlert(app, {level: 'info', text: contextRefusals.noItem});
		return;
	}
	app.dispatch({type: 'close page'});
	const block = store.block(index);
	if (app.state.setup.isSpoken === true && block !== undefined)
		app.dispatch({type: 'read again', from: block.id, count: 1});
	const height = transcriptHeightOf(app);
	const scroll = settle(store, show(store, app.state.transcript.scroll, height, {index, row: 0}), height);
	app.dispatch({type: 'scroll', scroll});
}

/** Sends a change of an item on the context page to the pod. */
async function changeContext(app: App, change: ContextChange, row: LedgerRow): Promise<void> {
	const plan = planChange(change, row, app.state.transcript.store?.transcript.folded);
	if (!plan.ok) {
		showAlert(app, {level: 'info', text: plan.sentence});
		return;
	}
	dismissAlerts(app);
	const receipt = await send(app, {method: 'context', op: plan.op, ids: [...plan.ids]});
	if (!receipt.accepted) showAlert(app, {level: 'error', text: receipt.sentence});
}

const changes: {readonly [chord: string]: ContextChange | undefined} = {
	'ctrl+x': 'drop',
	'ctrl+t': 'pin',
	'ctrl+o': 'prune',
	'ctrl+r': 'restore',
};

/** The apps that are reading the ledger. `again` means that another query is needed. */
const asked = new WeakMap<App, 'once' | 'again'>();

async function readAll(app: App): Promise<void> {
	const client = await app.client.promise;
	while (asked.get(app) === 'again') {
		asked.set(app, 'once');
		// If the connection to the pod was lost, other code reports it.
		const ledger = await client.ledger().catch(() => undefined);
		if (ledger === undefined) continue;
		app.dispatch({type: 'ledger read', ledger});
		app.changed('now');
	}
	asked.delete(app);
}

function nameIn({state}: App, id: string): string | undefined {
	const folded = state.transcript.store?.transcript.folded;
	const index = folded?.byItem.get(id);
	return index === undefined ? undefined : itemName(folded?.blocks[index], id);
}
