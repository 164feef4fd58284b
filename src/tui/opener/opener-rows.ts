import type {AppState} from '../state/app-state.ts';
import {textRow, type Row} from '../text/row.ts';
import {cut} from '../text/width.ts';

/** The list of the texts that can be opened, its marked one in view; nothing while there is none. */
export function openerRows({opener: {choice}}: AppState, columns: number, most: number): readonly Row[] {
	if (choice === undefined || most < 2) return [];
	const {parts, at, way} = choice;
	const room = Math.min(parts.length, most - 1, mostRows);
	const from = Math.max(0, Math.min(at - Math.floor(room / 2), parts.length - room));
	const title = `In the ${way}, as stored · ${at + 1} of ${parts.length} · Enter opens, Esc closes`;
	const rows = parts.slice(from, from + room).map(({name}, index) => {
		const isMarked = from + index === at;
		return textRow(cut(`${isMarked ? '❯' : ' '} ${name}`, columns, '…'), isMarked ? 'accent' : 'dim');
	});
	return [textRow(cut(title, columns, '…'), 'dim'), ...rows];
}

const mostRows = 8;
