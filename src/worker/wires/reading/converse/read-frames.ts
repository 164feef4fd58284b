import {AnswerRefused} from '../../http/refusal.ts';
import type {Source} from '../../http/source.ts';
import {parseJson} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {EventReader} from '../event-reader.ts';
import type {EventSource} from '../event-source.ts';
import {joinTexts} from '../join-texts.ts';
import {createFrameSplitter} from './frames.ts';

/** Reads an AWS event stream. The reader gets `{type, isException, value}` for each frame. */
export function readFrames(source: Source, reader: Pick<EventReader, 'read' | 'end'>): EventSource {
	const split = createFrameSplitter();
	let isOver = false;
	let isEmpty = true;
	return {
		async next() {
			if (isOver) return undefined;
			const piece = await source.read();
			if (piece.done) {
				isOver = true;
				if (isEmpty) throw new AnswerRefused('empty', '');
				return reader.end(false);
			}
			isEmpty &&= piece.value.length === 0;
			const events = split(piece.value).flatMap(({type, isException, payload}): readonly AnswerEvent[] => {
				const value = parseJson(Buffer.from(payload).toString('utf8'));
				return reader.read({type, isException, value});
			});
			return joinTexts(events);
		},
	};
}
