import {plainText} from '../../screen/spans/row.ts';
import type {TranscriptStore} from '../../screen/rows/store.ts';
import {dumpCut} from './texts.ts';

const maxDumpedRows = 2000;

/**
Prints the transcript to the terminal's scrollback: the plain, inert rows of the normal view. For a long session, only
the last `max` rows are printed, with a note above them.
*/
export function dumpTranscript(store: TranscriptStore, columns: number, max = maxDumpedRows): string {
	store.setLayout({columns, view: 'normal'});
	const blocks: string[][] = [];
	let count = 0;
	let isWhole = true;
	for (let index = store.count() - 1; index >= 0 && isWhole; index--) {
		const rows = store.rows(index);
		isWhole = count + rows.length <= max;
		const last = rows.slice(isWhole ? 0 : rows.length - (max - count));
		blocks.push(last.map(row => plainText(row).trimEnd()));
		count += last.length;
	}
	const rows = blocks.toReversed().flat();
	const note = isWhole ? [] : [dumpCut(rows.length)];
	return [...note, ...rows].map(row => `${row}\n`).join('');
}
