import {endOfSource, type Source} from '../../http/source.ts';
import {fieldOf, isRecord, parseJson} from '../../values.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {createFrameSplitter, type Frame} from './frames.ts';

/**
Returns the frames of a Converse answer without those that the provider package would refuse. The contents of the latter
are recorded. An answer that ends without its last message counts as cut, while the package would call it finished.
*/
export function cleanFrames(source: Source, notes: AnswerNotes): Source {
	const split = createFrameSplitter();
	let hasStopped = false;
	return {
		async read() {
			for (;;) {
				const piece = await source.read();
				if (piece.done) {
					if (!hasStopped) throw Object.assign(new Error('no messageStop'), {code: 'ECONNRESET'});
					return endOfSource;
				}
				const kept = split(piece.value).filter(frame => {
					hasStopped ||= frame.type === 'messageStop' || frame.isException;
					return isReadable(frame, notes);
				});
				if (kept.length > 0) return {done: false, value: Buffer.concat(kept.map(({bytes}) => bytes))};
			}
		},
		cancel: async reason => source.cancel(reason),
	};
}

/** Tells whether the package accepts a frame. Content that the package does not know is recorded. */
function isReadable({type, isException, payload}: Frame, notes: AnswerNotes): boolean {
	if (isException) return true;
	const value = parseJson(Buffer.from(payload).toString('utf8'));
	if (type === 'contentBlockDelta') return isReadableDelta(value, notes);
	if (type === 'contentBlockStart') return isReadableStart(value, notes);
	if (type === 'contentBlockStop') return isIndex(fieldOf(value, 'contentBlockIndex'));
	if (type === 'messageStop') return typeof fieldOf(value, 'stopReason') === 'string';
	if (type === 'metadata') return hasCounts(fieldOf(value, 'usage'));
	return false;
}

function isReadableDelta(value: unknown, notes: AnswerNotes): boolean {
	const delta = fieldOf(value, 'delta');
	const thought = fieldOf(delta, 'reasoningContent');
	const texts = [
		fieldOf(delta, 'text'),
		fieldOf(fieldOf(delta, 'toolUse'), 'input'),
		...['text', 'signature', 'data', 'redactedContent'].map(field => fieldOf(thought, field)),
	];
	if (isIndex(fieldOf(value, 'contentBlockIndex')) && texts.some(text => typeof text === 'string')) return true;
	addUnread(delta, notes);
	return false;
}

function isReadableStart(value: unknown, notes: AnswerNotes): boolean {
	const start = fieldOf(value, 'start');
	const use = fieldOf(start, 'toolUse');
	const isCall = [fieldOf(use, 'toolUseId'), fieldOf(use, 'name')].every(text => typeof text === 'string');
	const isKnown = isCall || !isRecord(start) || Object.keys(start).length === 0;
	if (isKnown && isIndex(fieldOf(value, 'contentBlockIndex'))) return true;
	addUnread(start, notes);
	return false;
}

function addUnread(content: unknown, notes: AnswerNotes): void {
	if (!isRecord(content)) return;
	const [type] = Object.keys(content);
	if (type !== undefined) notes.addUnread({type, data: JSON.stringify(content).slice(0, maxData)});
}

const maxData = 64 * 1024;

function isIndex(value: unknown): boolean {
	return typeof value === 'number';
}

function hasCounts(usage: unknown): boolean {
	return ['inputTokens', 'outputTokens'].every(name => typeof fieldOf(usage, name) === 'number');
}
