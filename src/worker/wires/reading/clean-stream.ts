import {AnswerRefused} from '../http/refusal.ts';
import {endOfSource, type Source} from '../http/source.ts';
import {parseJson} from '../values.ts';
import {createEventSplitter} from './event-stream.ts';
import type {EventReader} from './event-reader.ts';
import {joinTexts, splitTexts} from './join-texts.ts';

/**
Returns the event stream in the form that the provider package accepts. The wire's reader reads each event and writes it
again. The `[DONE]` at the end is not passed on: no package needs it.
*/
export function cleanStream(source: Source, reader: EventReader): Source {
	const splitter = createEventSplitter();
	let isOver = false;
	let isDone = false;
	let broken = 0;

	function cleaned(texts: readonly string[]): readonly unknown[] {
		return texts.flatMap(event => {
			if (!isDoneMark(event)) return readEvent(event);
			isDone = true;
			return [];
		});
	}

	function readEvent(event: string): readonly unknown[] {
		// Such an event only keeps the connection alive. It is not parsed, because each error of the parser takes time.
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

	/** The events of a server's events, without very many and very long ones. */
	function evened(texts: readonly string[]): readonly unknown[] {
		const events = joinTexts(cleaned(texts), reader.addedText);
		return texts.some(text => text.length > longEvent) ? splitTexts(events, reader.addedText) : events;
	}

	async function next(): Promise<readonly unknown[] | undefined> {
		if (isOver) return undefined;
		const piece = await source.read();
		if (!piece.done) return evened(splitter.push(piece.value));
		isOver = true;
		const last = evened(splitter.end());
		return [...last, ...reader.end(isDone)];
	}

	return sourceOfEvents(next, async reason => source.cancel(reason));
}

/**
Returns events as a stream. `next` returns the next events, or `undefined` at the end. The number of events in one read
is limited, because one event of a server may become hundreds of thousands, and the provider package reads each piece at
once.
*/
export function sourceOfEvents(
	next: () => Promise<readonly unknown[] | undefined>,
	cancel: Source['cancel'] = async () => {},
): Source {
	let waiting: readonly unknown[] = [];
	let from = 0;
	return {
		async read() {
			while (from >= waiting.length) {
				const events = await next();
				if (events === undefined) return endOfSource;
				waiting = events;
				from = 0;
			}
			const {text, to} = written(waiting, from);
			from = to;
			if (from === waiting.length) waiting = [];
			return {done: false, value: encoder.encode(text)};
		},
		cancel,
	};
}

/** The events of an answer that are not one JSON value. Each takes the parser microseconds, so many would hang. */
const maxBroken = 100_000;
const mayBeJson = /^\s*["[{\dtfn-]/;

const eventsAtOnce = 512;
/** The characters of a read, unless one event has more. */
const charactersAtOnce = 131_072;
/** The characters of a server's event that may have a long text. */
const longEvent = 65_536;

function isDoneMark(event: string): boolean {
	return event.trim() === '[DONE]';
}

/** Writes the next events. `to` is the place of the first one that does not fit. */
function written(events: readonly unknown[], from: number): {readonly text: string; readonly to: number} {
	const texts: string[] = [];
	let length = 0;
	let to = from;
	for (; to < events.length && texts.length < eventsAtOnce && length < charactersAtOnce; to++) {
		const text = `data: ${JSON.stringify(events[to])}\n\n`;
		texts.push(text);
		length += text.length;
	}
	return {text: texts.join(''), to};
}

const encoder = new TextEncoder();
