import type {Event, Ledger, LedgerRow} from '../../pod/protocol.ts';
import {dismissAlerts, say, tell, type App} from '../state/app.ts';
import {chordOf} from '../keys.ts';
import {listStart, moveInList, withinList} from '../overlay/list.ts';
import type {LivePage} from '../overlay/page.ts';
import {blankRow} from '../text/row.ts';
import {settle, show} from '../transcript/viewport.ts';
import {contextRow, contextHead, hintsRow} from './context-rows.ts';

/**
What the next request holds, item by item: a list of which only what is on the screen is drawn. It is asked for again whenever history grows.
Enter shows an item in the transcript, d drops it, p pins it or no longer, r restores it.
*/
export function contextPage(app: App, first: Ledger): LivePage {
	const {keymap} = app.state.setup;
	let ledger = first;
	let list = listStart;
	let room = 1;
	const asking = createAsker(app, news => {
		const chosen = ledger.rows[list.at];
		ledger = news;
		const at = news.rows.findIndex(row => isSame(row, chosen));
		list = withinList({...list, at: at === -1 ? list.at : at}, news.rows.length, room);
	});

	return {
		press(key) {
			const moved = moveInList(list, key, {keymap, count: ledger.rows.length, room});
			if (moved !== undefined) list = moved;
			const row = ledger.rows[list.at];
			const act = keymap.action(key) === 'submit' ? jump : acts[chordOf(key)];
			if (moved !== undefined || row === undefined || act === undefined) return moved !== undefined;
			act(app, row);
			return true;
		},
		rows(columns, height) {
			const head = contextHead(ledger, {columns, height});
			const foot = height - head.length < leastWithHints ? [] : [hintsRow({columns, at: list.at, count: ledger.rows.length})];
			room = Math.max(1, height - head.length - foot.length);
			list = withinList(list, ledger.rows.length, room);
			const rows = ledger.rows.slice(list.top, list.top + room).map((row, index) => contextRow(row, {columns, total: ledger.tokens, isChosen: list.top + index === list.at}));
			const blank = Array.from({length: room - rows.length}, () => blankRow);
			return [...head, ...rows, ...(foot.length === 0 ? [] : blank), ...foot].slice(0, height);
		},
		heard(event) {
			if (grows.has(event.type)) asking.ask();
		},
	};
}

/** Rows for the list and the keys below it. */
const leastWithHints = 4;
const grows: ReadonlySet<Event['type']> = new Set(['item', 'snapshot']);

type Act = (app: App, row: LedgerRow) => void;

const acts: {readonly [chord: string]: Act | undefined} = {
	d(app, row) {
		if (row.dropped === true) note(app, 'It is dropped already: r restores it.');
		else void change(app, 'drop', row.id === undefined ? [] : [row.id]);
	},
	p(app, row) {
		void change(app, row.pinned === true ? 'restore' : 'pin', row.id === undefined ? [] : [row.id]);
	},
	r(app, row) {
		if (row.dropped !== true && row.pinned !== true && row.kind !== 'summary') note(app, 'It is neither dropped nor pinned.');
		else void change(app, 'restore', row.dropped === true ? pairOf(app, row) : row.id === undefined ? [] : [row.id]);
	},
};

/** Closes the page, with the item's block on the screen. */
function jump(app: App, {id}: LedgerRow): void {
	const {transcript: store} = app.state;
	const index = id === undefined ? undefined : store?.transcript.folded.byItem.get(id);
	if (store === undefined || index === undefined) {
		note(app, 'This is no item of the transcript.');
		return;
	}
	app.dispatch({type: 'set page', page: undefined});
	const {transcriptHeight} = app.frame;
	app.dispatch({type: 'scroll', scroll: settle(store, show(store, app.state.scroll, transcriptHeight, {index, row: 0}), transcriptHeight)});
}

/** A call and its result are dropped together, by either's name: both are named to have them back. */
function pairOf({state: {transcript: store}}: App, {id}: LedgerRow): readonly string[] {
	if (id === undefined) return [];
	const block = store?.transcript.folded.blocks[store.transcript.folded.byItem.get(id) ?? -1];
	return block?.kind === 'tool' ? [block.call, block.result].flatMap(item => item?.id ?? []) : [id];
}

async function change(app: App, op: 'drop' | 'pin' | 'restore', ids: readonly string[]): Promise<void> {
	if (ids.length === 0) {
		note(app, 'This is no item of the transcript.');
		return;
	}
	dismissAlerts(app);
	const receipt = await say(app, {method: 'context', op, ids: [...ids]});
	if (!receipt.accepted) tell(app, {level: 'error', text: receipt.sentence});
}

function note(app: App, text: string): void {
	tell(app, {level: 'info', text});
}

/** The setup is several rows of one id. */
function isSame(row: LedgerRow, other: LedgerRow | undefined): boolean {
	return other !== undefined && row.id === other.id && row.kind === other.kind && row.label === other.label;
}

/** Asks for the ledger, one question at a time; what is wanted meanwhile is asked for once more. */
function createAsker(app: App, onAnswer: (ledger: Ledger) => void): {readonly ask: () => void} {
	let isAsking = false;
	let isWanted = false;

	async function ask(): Promise<void> {
		isAsking = true;
		do {
			isWanted = false;
			const client = await app.client.promise;
			// A pod that is gone says so by itself.
			const ledger = await client.ledger().catch(() => undefined);
			if (ledger !== undefined) onAnswer(ledger);
		} while (isWanted);
		isAsking = false;
		app.changed('now');
	}

	return {
		ask() {
			isWanted = true;
			if (!isAsking) void ask();
		},
	};
}
