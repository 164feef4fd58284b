import {asksOf, type App, type Part} from '../state/app.ts';
import {holdKeys} from '../hold/hold-keys.ts';
import {showChord, type ActionName} from '../keys.ts';
import {makeRow, type Row} from '../text/row.ts';
import {cut, width} from '../text/width.ts';
import type {Key} from '../screen/stdin.ts';
import {settle} from '../transcript/viewport.ts';
import type {Finder} from './finder.ts';
import {createQuery, editQuery, queryText, typed, viewQuery, type Query} from './query.ts';

/**
The search in the transcript: a row above the composer that takes what is typed. Enter leaves the typing, as in `less`: then `n` and `N` go
through the matches, and what else types goes to the draft and ends the search. Esc ends it; the view stays where it is.
*/
export function createSearchPart(): Part {
	let search: Search | undefined;
	let last = '';

	function open(app: App): boolean {
		const {transcript: store, scroll} = app.state;
		if (store === undefined || app.state.page !== undefined) return false;
		const mine: Search = {query: createQuery(), isTyping: true, finder: undefined};
		search = mine;
		void import('./finder.ts').then(({createFinder}) => {
			if (search !== mine) return;
			mine.finder = createFinder(app, store, scroll);
			mine.finder.look(queryText(mine.query));
			app.changed('now');
		});
		return true;
	}

	function end(app: App): void {
		if (search === undefined) return;
		last = queryText(search.query) || last;
		search.finder?.end();
		search = undefined;
		if (app.state.transcript !== undefined) app.dispatch({type: 'scroll', scroll: settle(app.state.transcript, app.state.scroll, app.frame.transcriptHeight)});
	}

	function write(mine: Search, query: Query): void {
		const before = queryText(mine.query);
		mine.query = query;
		const text = queryText(query);
		if (text !== before) mine.finder?.look(text);
	}

	/** What a key means while the query is written. Any other one types nothing and is for nobody, but for those of the transcript and the screen. */
	function pressTyping(app: App, mine: Search, key: Key): boolean {
		const {keymap} = app.state.setup;
		const action = keymap.action(key);
		const isEmpty = queryText(mine.query) === '';
		if (action === 'submit') {
			if (isEmpty) end(app);
			else mine.isTyping = false;
			return true;
		}
		if (action === 'search' && isEmpty && last !== '') write(mine, typed(mine.query, last));
		else if (turn(mine, action)) return true;
		const edited = editQuery(mine.query, key, keymap);
		if (edited !== undefined) write(mine, edited);
		return edited !== undefined || action === undefined || !passing.has(action);
	}

	return {
		press(app, key) {
			if (isBehindCard(app)) return false;
			const action = app.state.setup.keymap.action(key);
			const mine = search;
			if (mine === undefined) return action === 'search' && openOrWait(app, open);
			if (action === 'pause' || action === 'cancel') {
				end(app);
				return true;
			}
			return mine.isTyping ? pressTyping(app, mine, key) : pressBrowsing(app, mine, key, end);
		},
		paste(app, text) {
			if (search === undefined || isBehindCard(app)) return false;
			if (!search.isTyping) {
				end(app);
				return false;
			}
			write(search, typed(search.query, text));
			return true;
		},
		marks: (_app, rows) => search?.finder?.marks(rows) ?? none,
		heard(_app, event) {
			if (event.type === 'item' || event.type === 'snapshot') search?.finder?.refresh();
		},
		rows: (app, columns) => (search === undefined ? [] : [rowOf(app, search, columns)]),
		caret: (_app, columns) => (search?.isTyping === true ? lead.length + viewQuery(search.query, roomOf(search, columns)).caret : undefined),
		leave: end,
	};
}

/** What is typed before there is a transcript is the question all the same. */
function openOrWait(app: App, open: (app: App) => boolean): boolean {
	if (app.state.transcript !== undefined || app.state.page !== undefined) return open(app);
	void holdKeys(app, async () => {
		await app.opened.promise;
		return open(app);
	});
	return true;
}

/** A card has the place of its row, and the keys. */
function isBehindCard(app: App): boolean {
	return asksOf(app.state).length > 0;
}

type Search = {query: Query; isTyping: boolean; finder: Finder | undefined};

const none: ReturnType<NonNullable<Part['marks']>> = new Map();
const lead = 'Search: ';

/** What a key means behind Enter. */
function pressBrowsing(app: App, mine: Search, key: Key, end: (app: App) => void): boolean {
	const action = app.state.setup.keymap.action(key);
	if (key.text === 'n' || action === 'submit') mine.finder?.go(1);
	else if (key.text === 'N') mine.finder?.go(-1);
	else if (key.text === '/') mine.isTyping = true;
	else if (!turn(mine, action)) {
		if (key.text !== undefined) end(app);
		return false;
	}
	return true;
}

/** What keeps its meaning while a query is written. */
const passing: ReadonlySet<ActionName> = new Set(['page up', 'page down', 'row up', 'row down', 'top', 'bottom', 'previous message', 'next message', 'switch view', 'expand', 'mouse', 'suspend', 'redraw']);

/** Goes to another match; whether the action does that. */
function turn({finder}: Search, action: ActionName | undefined): boolean {
	const direction = action === undefined ? undefined : directions[action];
	if (direction !== undefined) finder?.go(direction);
	return direction !== undefined;
}

const directions: {readonly [Name in ActionName]?: 1 | -1} = {search: -1, up: -1, newline: -1, down: 1};

/** Cells for the query: what stands behind it is left out before it is cut short. */
function roomOf({finder}: Search, columns: number): number {
	return Math.max(4, columns - lead.length - width(finder?.words() ?? '') - 4);
}

function rowOf({state: {setup: {keymap}}}: App, search: Search, columns: number): Row {
	const {text} = viewQuery(search.query, roomOf(search, columns));
	const words = search.finder?.words() ?? '';
	const shown = cut(text, Math.max(0, columns - lead.length));
	const hint = (name: ActionName, what: string) => keymap.chords(name).slice(0, 1).map(chord => `${showChord(chord)} ${what}`);
	const hints = search.isTyping ? [...hint('submit', 'keeps'), ...hint('pause', 'ends')] : ['n next', 'N previous', '/ edits', ...hint('pause', 'ends')];
	const behind = cut(`${shown === '' ? '' : '  '}${[words, ...hints].filter(part => part !== '').join(' · ')}`, columns - lead.length - width(shown), '…');
	return makeRow([
		{text: lead, style: 'accent'},
		{text: shown, style: search.isTyping ? 'plain' : 'bold'},
		{text: behind, style: 'dim'},
	]);
}
