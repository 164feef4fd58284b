import type {Segment} from '../../pod/protocol.ts';
import {makeRow, textRow, type Row} from '../text/row.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut, width} from '../text/width.ts';
import type {Queue} from './queue.ts';
import {editHint, moreQueued, pasteLabel, queueLabels} from './texts.ts';

/** `leaving` messages are on their way to the pod. `steered` messages go into the current run. */
export type Waiting = {readonly queue: Queue; readonly steered: Queue; readonly leaving: Queue};

/**
Returns the rows of the queued messages: those on their way, then the steered ones, then those for the next run. If
there are too many, a row counts those in the middle. The next message and the last one stay visible.
*/
export function queueRows({queue, steered, leaving}: Waiting, columns: number, maxRows: number): Row[] {
	const hintAt = (index: number) => (index === queue.length - 1 ? editHint : '');
	const waiting = [
		...leaving.map(segments => ({sign: '↑ ', label: queueLabels.sending, segments, hint: ''})),
		...steered.map(segments => ({sign: '↳ ', label: queueLabels.steering, segments, hint: ''})),
		...queue.map((segments, index) => ({sign: '⧗ ', label: queueLabels.queued, segments, hint: hintAt(index)})),
	];
	if (maxRows <= 0) return [];
	const row = ({sign, label, segments, hint}: (typeof waiting)[number]) => {
		const room = Math.max(0, columns - width(sign));
		const text = fitted(label + sanitizeLine(wordsOf(segments, columns)), hint, room);
		return makeRow([{text, style: 'dim'}], 'text', {text: sign, style: 'dim'});
	};
	if (waiting.length <= maxRows) return waiting.map(row);
	const last = waiting.slice(-1).map(row);
	if (maxRows === 1) return last;
	const first = waiting.slice(0, maxRows - 2).map(row);
	return [...first, textRow(cut(moreQueued(waiting.length - maxRows + 1), columns, '…'), 'dim'), ...last];
}

/** The hint is left out when it would leave too little room for the message. */
function fitted(text: string, hint: string, columns: number): string {
	const room = columns - width(hint);
	return room < columns / 2 ? cut(text, columns, '…') : cut(text, room, '…') + hint;
}

/** Returns as much of the text as a row can show. */
function wordsOf(segments: readonly Segment[], columns: number): string {
	let words = '';
	for (const segment of segments) {
		words += wordsOfSegment(segment, columns * 4);
		if (words.length > columns * 4) break;
	}
	return words.trim();
}

function wordsOfSegment(segment: Segment, maxLength: number): string {
	if (segment.type === 'text') return segment.text.slice(0, maxLength).toWellFormed().replaceAll(/\s+/g, ' ');
	if (segment.type === 'paste') return pasteLabel(segment.lines);
	return segment.type === 'file_ref' ? `@${segment.path}` : `/${segment.slug}`;
}
