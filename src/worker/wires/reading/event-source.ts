import {AnswerRefused} from '../http/refusal.ts';
import type {Source} from '../http/source.ts';
import {parseJson} from '../values.ts';
import type {AnswerEvent} from './answer-event.ts';
import type {EventReader} from './event-reader.ts';
import {createEventSplitter} from './event-stream.ts';
import {joinTexts} from './join-texts.ts';

/** The events of one answer. */
export type EventSource = {
	/** Returns the next events, or `undefined` at the end. */
	next(): Promise<readonly AnswerEvent[] | undefined>;
};

/** Reads a stream of events. The `[DONE]` at the end is not passed to the reader. */
export function readEvents(source: Source, reader: EventReader): EventSource {
	const splitter = createEventSplitter();
	let isOver = false;
	let isDone = false;
	let hasEvent = false;
	let broken = 0;

	function readAll(texts: readonly string[]): readonly AnswerEvent[] {
		return texts.flatMap(event => {
			if (!isDoneMark(event)) return readEvent(event);
			isDone = true;
			return [];
		});
	}

	function readEvent(event: string): readonly AnswerEvent[] {
		hasEvent = true;
		// This event only keeps the connection alive. It is not parsed, because each parse error takes time.
		if (!mayBeJson.test(event)) return [];
		const value = parseJson(event);
		if (value !== undefined) return reader.read(value);
		if (++broken > maxBroken) throw refuse();
		const lines = event.split('\n').filter(line => line.trim() !== '');
		// If a server sends no blank lines between its events, each line is an event.
		if (lines.length > 1 && lines.every(line => isDoneMark(line) || parseJson(line) !== undefined)) {
			isDone ||= lines.some(isDoneMark);
			return lines.filter(line => !isDoneMark(line)).flatMap(line => reader.read(parseJson(line)));
		}
		// Other lines only keep the connection alive.
		return event.trimStart().startsWith('{') ? reader.read(undefined) : [];
	}

	function refuse(): AnswerRefused {
		const refusal = new AnswerRefused('broken_events', String(maxBroken));
		void source.cancel(refusal).catch(() => {});
		return refusal;
	}

	return {
		async next() {
			if (isOver) return undefined;
			const piece = await source.read();
			if (!piece.done) return joinTexts(readAll(splitter.push(piece.value)));
			isOver = true;
			const last = readAll(splitter.end());
			if (!hasEvent) throw new AnswerRefused('empty', '');
			return joinTexts([...last, ...reader.end(isDone)]);
		},
	};
}

/**
The maximum number of events of an answer that are not a single JSON value. Each one takes the parser microseconds, so
too many would block the process.
*/
const maxBroken = 100_000;
const mayBeJson = /^\s*["[{\dtfn-]/;

function isDoneMark(event: string): boolean {
	return event.trim() === '[DONE]';
}
