import type {Part} from '../state/app.ts';
import {chordOf} from '../keys.ts';
import {lineRows, makeRow, type Row} from '../text/row.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut, width} from '../text/width.ts';
import type {Key} from '../screen/stdin.ts';
import {byAction} from './by-action.ts';
import type {PageLine, TextPage} from './page.ts';

/** Shows the app's page, and takes the keys that scroll and close it and all that would type, while there is one. */
export function createOverlayPart(): Part {
	const drawn = {top: 0, room: 1, total: 0};
	let made: {readonly lines: TextPage['lines']; readonly columns: number; readonly rows: readonly Row[]} | undefined;

	function rowsOf({lines}: TextPage, columns: number): readonly Row[] {
		if (made?.lines !== lines || made.columns !== columns) made = {lines, columns, rows: lines.flatMap(line => lineOf(line, columns))};
		return made.rows;
	}

	return {
		press(app, key) {
			const {page} = app.state;
			if (page === undefined) return false;
			const chord = chordOf(key);
			const action = app.state.setup.keymap.action(key);
			if (page.press?.(key) === true) return true;
			if (closing.has(chord) || action === 'pause') {
				app.dispatch({type: 'set page', page: undefined});
				return true;
			}
			if ('rows' in page) return isTyping(key);
			const move = moves[chord] ?? (action === undefined ? undefined : remapped[action]);
			const to = move?.({...drawn, top: page.top});
			if (to === undefined) return isTyping(key);
			app.dispatch({type: 'set page', page: {...page, top: Math.max(0, Math.min(to, drawn.total - drawn.room))}});
			return true;
		},
		overlay({state: {page}}, columns, height) {
			if (page === undefined) return undefined;
			if ('rows' in page) return page.rows(columns, height);
			const rows = rowsOf(page, columns);
			const room = Math.max(1, height - 1);
			const top = Math.max(0, Math.min(page.top, rows.length - room));
			Object.assign(drawn, {top, room, total: rows.length});
			const shown = rows.slice(top, top + room);
			return height < 2 ? shown : [titleRow(page, columns, drawn), ...shown];
		},
		heard({state: {page}}, event) {
			if (page !== undefined && 'rows' in page) page.heard?.(event);
		},
	};
}

type Drawn = {readonly top: number; readonly room: number; readonly total: number};

const moves: Readonly<Record<string, (drawn: Drawn) => number>> = {
	up: ({top}) => top - 1,
	down: ({top}) => top + 1,
	pageup: ({top, room}) => top - Math.max(1, room - 1),
	pagedown: ({top, room}) => top + Math.max(1, room - 1),
	space: ({top, room}) => top + Math.max(1, room - 1),
	home: () => 0,
	'ctrl+home': () => 0,
	end: ({total}) => total,
	'ctrl+end': ({total}) => total,
};
const remapped = byAction(moves);
const closing: ReadonlySet<string> = new Set(['escape', 'q', 'Q']);

/** What would change a draft that the person is not looking at. Keys with Ctrl keep their meaning: who cancels or quits means it. */
function isTyping({text, name, ctrl}: Key): boolean {
	return text !== undefined || (!ctrl && name !== '');
}

function titleRow({title, hint = 'Esc closes'}: TextPage, columns: number, {top, room, total}: Drawn): Row {
	const last = Math.min(total, top + room);
	const more = total <= room ? '' : last < total ? ', PgDn goes on' : ', PgUp goes back';
	const place = total > room ? ` · rows ${top + 1}-${last} of ${total}` : '';
	const name = cut(sanitizeLine(title), columns, '…');
	const note = cut(` · ${hint}${more}${place}`, columns - width(name), '…');
	return makeRow([{text: name, style: 'bold'}, {text: note, style: 'dim'}]);
}

/** A lead that would take more than half of the screen stands on rows of its own. */
function lineOf({lead, spans}: PageLine, columns: number): Row[] {
	if (lead === undefined) return lineRows(spans, {columns});
	if (width(lead.text) <= columns / 2) return lineRows(spans, {columns, gutter: lead});
	return [...lineRows([{...lead, text: lead.text.trimEnd()}], {columns}), ...lineRows(spans, {columns, gutter: {text: '    '}})];
}
