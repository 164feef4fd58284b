import type {Source} from '../../http/source.ts';
import {parseJson} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {EventReader} from '../event-reader.ts';
import type {EventSource} from '../event-source.ts';
import {joinTexts} from '../join-texts.ts';
import {createFrameSplitter} from './frames.ts';

/** Reads an AWS event stream. Its reader gets a `ConverseEvent` for each frame. */
export function readFrames(source: Source, reader: Pick<EventReader, 'read' | 'end'>): EventSource {
	const split = createFrameSplitter();
	let isOver = false;
	return {
		async next() {
			if (isOver) return undefined;
			const piece = await source.read();
			if (piece.done) {
				isOver = true;
				return reader.end(false);
			}
			const events = split(piece.value).flatMap(({type, isException, payload}): readonly AnswerEvent[] => {
				const value = parseJson(Buffer.from(payload).toString('utf8'));
				return reader.read({type, isException, value});
			});
			return joinTexts(events);
		},
	};
}
