import type {AppState} from '../../model/app-state.ts';
import {makeRow, textRow, type Row} from '../../spans/row.ts';
import {cut} from '../../../text/width.ts';
import {openTitle} from './texts.ts';

/**
Returns the rows of the list of texts that you can open. The marked text is always visible. Returns no rows while the
list is closed.
*/
export function openerRows({opener: {choice}}: AppState, columns: number, maxRows: number): readonly Row[] {
	if (choice === undefined || maxRows < 2) return [];
	const {parts, at, way} = choice;
	const room = Math.min(parts.length, maxRows - 1, maxOffered);
	const from = Math.max(0, Math.min(at - Math.floor(room / 2), parts.length - room));
	const title = openTitle(way, at + 1, parts.length);
	const rows = parts.slice(from, from + room).map(({name}, index) => {
		const isMarked = from + index === at;
		const style = isMarked ? 'accent' : 'dim';
		const text = cut(name, Math.max(0, columns - 2), '…');
		const gutter = {text: isMarked ? '❯ ' : '  ', style} as const;
		return makeRow([{text, style}], isMarked ? 'chosen' : 'choice', gutter);
	});
	return [textRow(cut(title, columns, '…'), 'dim'), ...rows];
}

const maxOffered = 8;
