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

	function cleaned(texts: readonly string[]): string {
		let text = '';
		for (const event of texts) {
			if (isDoneMark(event)) isDone = true;
			else text += written(readEvent(event));
		}
		return text;
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

	return {
		async read() {
			while (!isOver) {
				const piece = await source.read();
				isOver = piece.done;
				const text = piece.done
					? cleaned(splitter.end()) + written(reader.end(isDone))
					: cleaned(splitter.push(piece.value));
				if (text !== '') return {done: false, value: encoder.encode(text)};
			}
			return endOfSource;
		},
		cancel: async reason => source.cancel(reason),
	};
}

function isDoneMark(event: string): boolean {
	return event.trim() === '[DONE]';
}

/** Events in the form of a stream. */
export function written(events: readonly unknown[]): string {
	return events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
}

const encoder = new TextEncoder();
