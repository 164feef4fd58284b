import type {AnswerNotes} from '../answer-notes.ts';
import type {EventReader} from '../event-reader.ts';
import {isObject, textIn} from '../fields.ts';
import {errorIn} from '../stream-error.ts';
import {createLeftovers, hasContent, unreadPart} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';
import {createMessageBlocks} from './messages-blocks.ts';
import {createMessageEnd} from './messages-end.ts';

/** The events of the Messages API. (platform.claude.com/docs/en/build-with-claude/streaming) */
export function createMessagesReader(notes: AnswerNotes): EventReader {
	const leftovers = createLeftovers(notes);
	const blocks = createMessageBlocks(notes, leftovers);
	const end = createMessageEnd(notes);
	let isStarted = false;
	let isFinished = false;
	let understood = 0;
	let unknown = 0;

	function finish(): readonly unknown[] {
		if (isFinished) return [];
		isFinished = true;
		const events = blocks.stopAll();
		leftovers.flush();
		return [...events, ...end.finished(blocks.counts)];
	}

	function start(event: unknown): readonly unknown[] {
		end.note(event);
		if (isStarted) return [];
		isStarted = true;
		const content = contentOf(fieldOf(event, 'message'));
		return [...end.started(), ...wholeBlocks(content)];
	}

	function wholeBlocks(content: readonly unknown[]): readonly unknown[] {
		return content.flatMap((block, index) => [...blocks.start(index, block), ...blocks.stop(index)]);
	}

	const readers: Readonly<Record<string, (event: unknown) => readonly unknown[]>> = {
		message_start: start,
		content_block_start: event => blocks.start(fieldOf(event, 'index'), fieldOf(event, 'content_block')),
		content_block_delta: event => blocks.delta(fieldOf(event, 'index'), fieldOf(event, 'delta')),
		content_block_stop: event => blocks.stop(fieldOf(event, 'index')),
		message_delta(event) {
			end.note(event);
			return [];
		},
		message_stop(event) {
			end.note(event);
			return finish();
		},
		ping: () => [],
	};

	function readOne(event: unknown): readonly unknown[] {
		const type = textIn(event, 'type') ?? '';
		const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
		if (reader !== undefined) {
			understood += 1;
			return isFinished ? [] : reader(event);
		}
		const error = errorIn(event);
		if (error !== undefined) {
			understood += 1;
			return [errorEvent(error)];
		}
		unknown += 1;
		for (const name of ['content_block', 'delta', 'content']) {
			const content = fieldOf(event, name);
			if (typeof content === 'string' || hasContent(content))
				leftovers.add(type === '' ? 'event' : type, content);
		}
		return [];
	}

	return {
		read(event) {
			if (Array.isArray(event)) return event.flatMap(readOne);
			if (event === undefined) notes.addUnread(unreadPart('invalid event', undefined));
			return readOne(event);
		},
		readWhole(answer) {
			if (!isMessage(answer)) return undefined;
			end.note(answer);
			return [...end.started(), ...wholeBlocks(contentOf(answer)), ...finish()];
		},
		end(isDone) {
			if (isFinished) return [];
			if (understood === 0 && unknown > 0) return [errorEvent({message: otherProtocol})];
			return end.hasStop() || (isDone && blocks.counts.blocks > 0) ? finish() : [];
		},
	};
}

const otherProtocol = 'The server sent no event of the Messages API.';

function errorEvent(error: {
	readonly type?: string;
	readonly code?: string | number;
	readonly message: string;
}): unknown {
	const {type = 'api_error', code, message} = error;
	return {type: 'error', error: {type, message, ...(code !== undefined && {code})}};
}

function isMessage(answer: unknown): boolean {
	if (!isObject(answer) || answer['type'] === 'error') return false;
	return (
		Array.isArray(answer['content']) || (typeof answer['content'] === 'string' && answer['role'] === 'assistant')
	);
}

/** The blocks of a message. A text instead of blocks is one block. */
function contentOf(message: unknown): readonly unknown[] {
	const content = fieldOf(message, 'content');
	return typeof content === 'string' && content !== '' ? [{type: 'text', text: content}] : elementsOf(content);
}
