import {endOfSource, type Source} from '../../http/source.ts';
import {parseJson} from '../values.ts';
import {createEventSplitter} from './event-stream.ts';
import type {EventReader} from './event-reader.ts';

/**
Returns the event stream in the form that its provider package accepts: the wire's reader reads each event and writes it
again. The `[DONE]` at the end is not passed on: no package needs it.
*/
export function cleanStream(source: Source, reader: EventReader): Source {
	const splitter = createEventSplitter();
	let isOver = false;
	let isDone = false;

	function cleaned(texts: readonly string[]): readonly unknown[] {
		return texts.flatMap(event => {
			if (!isDoneMark(event)) return readEvent(event);
			isDone = true;
			return [];
		});
	}

	function readEvent(event: string): readonly unknown[] {
		const value = parseJson(event);
		if (value !== undefined) return reader.read(value);
		const lines = event.split('\n').filter(line => line.trim() !== '');
		// Without blank lines between its events a server sends one event with a line for each.
		if (lines.length > 1 && lines.every(line => isDoneMark(line) || parseJson(line) !== undefined)) {
			isDone ||= lines.some(isDoneMark);
			return lines.filter(line => !isDoneMark(line)).flatMap(line => reader.read(parseJson(line)));
		}
		// Other lines only keep the connection alive.
		return event.trimStart().startsWith('{') ? reader.read(undefined) : [];
	}

	async function next(): Promise<readonly unknown[] | undefined> {
		if (isOver) return undefined;
		const piece = await source.read();
		if (!piece.done) return cleaned(splitter.push(piece.value));
		isOver = true;
		const last = cleaned(splitter.end());
		return [...last, ...reader.end(isDone)];
	}

	return sourceOfEvents(next, async reason => source.cancel(reason));
}

/**
Events in the form of a stream. `next` returns the next ones, `undefined` at the end. A read has a limited number of
them: one event of a server may become hundreds of thousands, and the provider package reads each piece at once.
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
			const events = waiting.slice(from, from + eventsAtOnce);
			from += events.length;
			if (from === waiting.length) waiting = [];
			return {done: false, value: encoder.encode(written(events))};
		},
		cancel,
	};
}

const eventsAtOnce = 512;

function isDoneMark(event: string): boolean {
	return event.trim() === '[DONE]';
}

function written(events: readonly unknown[]): string {
	return events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
}

const encoder = new TextEncoder();
