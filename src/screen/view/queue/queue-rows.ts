import type {QueuedMessage, Segment} from '../../../pod/protocol.ts';
import {makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, width} from '../../../text/width.ts';
import {nextIn, waitingIn} from '../../model/queue.ts';
import {t} from '../../../language/index.ts';

/** The waiting messages. `leaving` are the messages that are being sent to the pod. */
type Waiting = {
	readonly queue: readonly QueuedMessage[];
	readonly leaving: ReadonlyArray<readonly Segment[]>;
	/** The name of the key that sends the next message during the run, such as `Ctrl+S`. */
	readonly sendKey?: string;
};

/**
Returns the rows of the waiting messages. If there are too many, one row counts the messages in the middle. The next
message and the last one stay visible.
*/
export function queueRows({queue, leaving, sendKey}: Waiting, columns: number, maxRows: number): Row[] {
	const last = waitingIn(queue).at(-1);
	const next = sendKey === undefined ? undefined : nextIn(queue);
	const hintsOf = (row: QueuedMessage) => {
		const [send, edit] = [
			row === next && sendKey !== undefined ? sendHint(sendKey) : '',
			row === last ? editHint : '',
		];
		return [send + edit, edit, send];
	};
	const waiting = [
		...leaving.map(segments => ({...looks.sending, segments, hints: []})),
		...queue.map(row => ({...looks[row.state], segments: row.preview, hints: hintsOf(row)})),
	];
	if (maxRows <= 0) return [];
	const rowOf = ({sign, label, segments, hints}: (typeof waiting)[number]) => {
		const room = Math.max(0, columns - width(sign));
		const text = fitted(label + sanitizeLine(wordsOf(segments, columns)), hints, room);
		return makeRow([{text, style: 'dim'}], 'text', {text: sign, style: 'dim'});
	};
	if (waiting.length <= maxRows) return waiting.map(rowOf);
	const end = waiting.slice(-1).map(rowOf);
	if (maxRows === 1) return end;
	const first = waiting.slice(0, maxRows - 2).map(rowOf);
	return [...first, textRow(cut(moreQueued(waiting.length - maxRows + 1), columns, '…'), 'dim'), ...end];
}

/** A row of the queue begins with one of these labels. */
const queueLabels = {
	sending: t`sending: `,
	steering: t`steering: `,
	queued: t`queued: `,
	refused: t`not sent: `,
} as const;

type Look = {readonly sign: string; readonly label: string};

const looks: Readonly<Record<QueuedMessage['state'], Look>> = {
	sending: {sign: '↑ ', label: queueLabels.sending},
	steering: {sign: '→ ', label: queueLabels.steering},
	queued: {sign: '◦ ', label: queueLabels.queued},
	refused: {sign: '× ', label: queueLabels.refused},
	returned: {sign: '◦ ', label: queueLabels.queued},
};

/** Adds the first hint that leaves enough room for the message. */
function fitted(text: string, hints: readonly string[], columns: number): string {
	const hint = hints.find(each => columns - width(each) >= columns / 2) ?? '';
	return cut(text, columns - width(hint), '…') + hint;
}

/** Returns the beginning of the text of a message, as much as a row can show. */
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

const editHint = t` (↑ to edit)`;

/** The hint about the key that sends the message during the run. */
function sendHint(key: string): string {
	return t` (${key}: send now)`;
}

function moreQueued(count: number): string {
	return t`… ${count} more queued`;
}

function pasteLabel(lines: number): string {
	return t`[paste: ${lines} lines]`;
}
