import {plainText} from '../../tui/text/row.ts';
import type {TranscriptStore} from '../../tui/transcript/store.ts';
import {dumpCut} from './texts.ts';

/** Rows that are printed at most. */
export const maxDumpedRows = 2000;

/**
The transcript as it is left, for the terminal's own scrollback: the normal view as plain, inert rows at a width, each
with its newline. Of a long session the end, under a note.
*/
export function dumpTranscript(store: TranscriptStore, columns: number, most = maxDumpedRows): string {
	store.setLayout({columns, view: 'normal'});
	const blocks: string[][] = [];
	let count = 0;
	let isWhole = true;
	for (let index = store.count() - 1; index >= 0 && isWhole; index--) {
		const rows = store.rows(index);
		isWhole = count + rows.length <= most;
		const last = rows.slice(isWhole ? 0 : rows.length - (most - count));
		blocks.push(last.map(plainText));
		count += last.length;
	}
	const rows = blocks.toReversed().flat();
	const note = isWhole ? [] : [dumpCut(rows.length)];
	return [...note, ...rows].map(row => `${row}\n`).join('');
}
