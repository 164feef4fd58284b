import type {Ask} from '../pod/protocol.ts';
import type {Key} from './screen/stdin.ts';
import {sanitize, sanitizeLine} from './screen/sanitize.ts';
import {cut} from './screen/width.ts';
import {wrap} from './screen/wrap.ts';
import {paint} from './theme.ts';

export type AskView = {
	readonly rows: readonly string[];
	/** The first row of the detail that is shown, after it was kept within what there is. */
	readonly scroll: number;
	/** Rows of the detail in all, and how many of them are shown. */
	readonly total: number;
	readonly shown: number;
};

/** Milliseconds without a key that a card needs before one answers it, from its appearance on: the person was typing something else. */
export const answerDelay = 400;

/**
The card of what is asked: title, the whole detail in a window that scrolls, the choices with their keys. Inert.
`waiting` says how many more cards wait behind it. Title and choices are always shown.
*/
export function viewAsk(ask: Ask, columns: number, maxRows: number, scroll = 0, waiting = 0): AskView {
	const more = waiting > 0 ? ` (${waiting} more waiting)` : '';
	const title = paint('warn', cut(`? ${sanitizeLine(ask.title)}`, columns - more.length, '…')) + paint('dim', more);
	const choices = choiceRows(ask, columns);
	const detail = ask.detail === '' ? [] : detailRows(ask.detail, columns - 2);
	const room = Math.max(1, maxRows - 1 - choices.length);
	const scrolls = detail.length > room;
	const shown = scrolls ? Math.max(1, room - 1) : detail.length;
	const first = Math.max(0, Math.min(scroll, detail.length - shown));
	const note = scrolls ? [paint('dim', cut(`  rows ${first + 1}-${first + shown} of ${detail.length} (PgUp, PgDn)`, columns, '…'))] : [];
	const window = detail.slice(first, first + shown).map(row => `${paint('dim', '│')} ${row}`);
	return {rows: [title, ...window, ...note, ...choices], scroll: first, total: detail.length, shown};
}

/**
The choice that a key means: its number, or its first letter when no other choice begins with it. Esc says no: the choice named
`deny` or `no`, or else the last one. Nothing in the first moments of a card, and for every other key.
*/
export function answerOf(ask: Ask, key: Key, shownForMs: number): string | undefined {
	if (key.name === 'escape' && !key.ctrl && !key.alt) return refusal(ask);
	if (key.text === undefined || shownForMs < answerDelay) return undefined;
	const pressed = key.text.toLowerCase();
	const digit = /^[1-9]$/.test(pressed) ? ask.choices[Number(pressed) - 1] : undefined;
	return (digit ?? ask.choices.find((_, index) => letterOf(ask, index) === pressed))?.choice;
}

function refusal({choices}: Ask): string | undefined {
	return (choices.find(({choice}) => choice === 'deny' || choice === 'no') ?? choices.at(-1))?.choice;
}

function letterOf({choices}: Ask, index: number): string | undefined {
	const letter = choices[index]?.label.charAt(0).toLowerCase();
	const isOwn = letter !== undefined && /^[a-z]$/.test(letter) && choices.filter(({label}) => label.charAt(0).toLowerCase() === letter).length === 1;
	return isOwn ? letter : undefined;
}

/** In a card even what has no width must be seen: it is what hides parts of a command. */
function detailRows(detail: string, columns: number): string[] {
	return detail.replace(/\n$/, '').split('\n').flatMap(line => wrap(sanitizeLine(sanitize(line)), columns));
}

/** As many choices on a row as fit. */
function choiceRows(ask: Ask, columns: number): string[] {
	const esc = refusal(ask);
	const rows: string[] = [];
	let row: string[] = [];
	let used = 0;
	for (const [index, {choice, label}] of ask.choices.entries()) {
		const keys = [String(index + 1), letterOf(ask, index), choice === esc ? 'Esc' : undefined].filter(key => key !== undefined).join(', ');
		const text = cut(`[${keys}] ${sanitizeLine(label)}`, columns, '…');
		if (used > 0 && used + 2 + text.length > columns) {
			rows.push(row.join('  '));
			[row, used] = [[], 0];
		}
		row.push(paint('accent', text));
		used += text.length + (used > 0 ? 2 : 0);
	}
	return used > 0 ? [...rows, row.join('  ')] : rows;
}
