import type {AnswerNotes} from '../answer-notes.ts';
import type {Fields} from './chat-choice.ts';
import {isObject} from '../fields.ts';
import {unreadPart} from '../unread.ts';

/**
Collects the parts of an answer of chat completions that are not texts, thoughts or calls. These parts follow the
answer.
*/
type ChatMedia = {
	add(delta: Fields): void;
	noteUnread(type: string, value: unknown): void;
	/** Records the parts that arrived in several events. */
	end(): void;
};

/**
Notes two kinds of parts. Of audio (platform.openai.com/docs/guides/audio), the transcript and the size of the data are
kept. The list of the calls of the server's own tools (console.groq.com/docs/compound) is complete in each event, so the
last list is kept.
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
