import type {AnswerNotes} from '../answer-notes.ts';
import type {Fields} from './chat-choice.ts';
import {isObject} from '../fields.ts';
import {unreadPart} from '../unread.ts';

/**
What an answer of chat completions contains in addition to texts, thoughts and calls. These parts follow the answer.
*/
type ChatMedia = {
	add(delta: Fields): void;
	noteUnread(type: string, value: unknown): void;
	/** Records the media that came in pieces. */
	end(): void;
};

/**
Notes audio (platform.openai.com/docs/guides/audio), whose transcript is kept with the size of its data, and what the
server's own tools did (console.groq.com/docs/compound), which comes whole each time.
*/
export function createChatMedia(notes: AnswerNotes): ChatMedia {
	let audio: Audio | undefined;
	let executed: unknown;

	function noteUnread(type: string, value: unknown): void {
		notes.addUnread(unreadPart(type, value));
	}

	return {
		noteUnread,
		add(delta) {
			if (isObject(delta['audio'])) audio = withPiece(audio, delta['audio']);
			if (Array.isArray(delta['executed_tools'])) executed = delta['executed_tools'];
		},
		end() {
			if (audio !== undefined) noteUnread('audio', audio);
			if (executed !== undefined) noteUnread('executed_tools', executed);
		},
	};
}

type Audio = {readonly id?: string; readonly transcript: string; readonly characters: number};

function withPiece(known: Audio | undefined, {id, transcript, data}: Fields): Audio {
	return {
		...known,
		...(typeof id === 'string' && {id}),
		transcript: (known?.transcript ?? '') + (typeof transcript === 'string' ? transcript : ''),
		characters: (known?.characters ?? 0) + (typeof data === 'string' ? data.length : 0),
	};
}
