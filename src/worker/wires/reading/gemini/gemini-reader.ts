import {en} from '../../../../language/index.ts';
import {AnswerRefused} from '../../http/refusal.ts';
import type {Stop, Usage} from '../../../history/item.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import type {SaidFacts} from '../answered-by.ts';
import {createCitations} from '../citations.ts';
import {faultOf, isErrorWord} from '../error-words.ts';
import type {EventReader} from '../event-reader.ts';
import {isObject, textIn} from '../fields.ts';
import {errorIn, type StreamError} from '../stream-error.ts';
import {unreadPart, withUnreadLimit} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';
import {
	blockReasonOf,
	countsOf,
	finishReasonOf,
	noteBlock,
	noteFinish,
	stopOf,
	usageOf,
	type GeminiCounts,
} from './gemini-end.ts';
import {createGrounding} from './gemini-grounding.ts';
import {createGeminiParts} from './gemini-parts.ts';

/**
Reads the chunks of streamGenerateContent (ai.google.dev/api/generate-content). `dataKeys` are the names under which a
signature is stored.
*/
export function createGeminiReader(answerNotes: AnswerNotes, dataKeys: readonly string[]): EventReader {
	const notes = withUnreadLimit(answerNotes);
	const citations = createCitations(notes);
	const parts = createGeminiParts({notes, citations}, dataKeys);
	const addGrounding = createGrounding(notes, citations);
	let counts: GeminiCounts = {};
	let stop: Stop | undefined;
	/** The reason why the answer ended, if it says that the server failed. */
	let fault: string | undefined;
	let isBlocked = false;
	let [understood, unknown] = [0, 0];

	function readCandidate(candidate: unknown): readonly AnswerEvent[] {
		const events = parts.read(fieldOf(candidate, 'content'));
		addGrounding(candidate, parts.counts.isInText);
		const reason = finishReasonOf(candidate);
		if (reason !== undefined) finish(reason, candidate);
		return events;
	}

	function finish(reason: string, candidate: unknown): void {
		fault = isErrorWord(reason) ? reason : undefined;
		if (fault !== undefined) return;
		noteFinish(notes, reason, candidate);
		const {begun, whole, nameless} = parts.counts.calls;
		stop = stopOf(reason, whole > 0);
		if (reason === 'STOP' && begun === 0 && nameless > 0)
			notes.setEnd({stop: 'unread_call', explanation: namelessCall});
	}

	function readChunk(event: unknown): readonly AnswerEvent[] {
		const candidate = elementsOf(fieldOf(event, 'candidates'))[0];
		const read = candidate === undefined ? [] : readCandidate(candidate);
		const block = blockReasonOf(event);
		if (block !== undefined) {
			isBlocked = true;
			noteBlock(notes, block, event);
		}
		return isBlocked ? [] : read;
	}

	function readOne(event: unknown): readonly AnswerEvent[] {
		const chunk = unwrapped(event);
		const error = errorIn(chunk);
		if (error === undefined && !isChunk(chunk)) {
			unknown += 1;
			return [];
		}
		understood += 1;
		counts = {...counts, ...countsOf(chunk)};
		notes.noteAnswered(answeredIn(chunk));
		return error === undefined ? readChunk(chunk) : [{type: 'error', error: failureIn(error)}];
	}

	function finished(): readonly AnswerEvent[] {
		if (fault !== undefined && !isBlocked) return [faultOf(fault, usageOf(counts))];
		return [...parts.end(), finishOf(isBlocked ? 'blocked' : stop, usageOf(counts))];
	}

	return {
		read(event) {
			if (Array.isArray(event)) return event.flatMap(readOne);
			if (event === undefined) notes.addUnread(unreadPart('event', 'not valid JSON'));
			return readOne(event);
		},
		readWhole(answer) {
			const chunks = Array.isArray(answer) ? answer : [answer];
			return chunks.some(chunk => isChunk(unwrapped(chunk)) || errorIn(unwrapped(chunk)) !== undefined)
				? [...chunks.flatMap(readOne), ...finished()]
				: undefined;
		},
		end(isDone) {
			if (understood === 0 && unknown > 0) throw new AnswerRefused('not_an_answer', '');
			if (stop === undefined && isDone && parts.counts.parts > 0)
				stop = stopOf('STOP', parts.counts.calls.whole > 0);
			return finished();
		},
		usage: () => usageOf(counts),
	};
}

function finishOf(stop: Stop | undefined, usage: Usage): AnswerEvent {
	return {type: 'finish', stop: stop ?? 'interrupted', usage};
}

function answeredIn(chunk: unknown): SaidFacts {
	const model = textIn(chunk, 'modelVersion', 'model_version');
	return {model, id: textIn(chunk, 'responseId', 'response_id')};
}

const namelessCall = en`The server sent a call without its name.`;

/** Some servers put the chunk into an envelope. */
function unwrapped(event: unknown): unknown {
	const response = fieldOf(event, 'response');
	return isObject(response) && !isChunk(event) ? response : event;
}

function isChunk(event: unknown): boolean {
	return isObject(event) && chunkFields.some(name => name in event);
}

const chunkFields = ['candidates', 'usageMetadata', 'usage_metadata', 'promptFeedback', 'prompt_feedback'] as const;

/** Returns an error in the form that the other readers use. */
function failureIn({code, message, status = ''}: StreamError): unknown {
	const number = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
	const type = status === '' && typeof number === 'string' ? number : status;
	return {message, type, statusCode: typeof number === 'number' ? number : statusCodes[type]};
}

/** The HTTP status for each code name (github.com/googleapis/googleapis, google/rpc/code.proto). */
const statusCodes: Readonly<Record<string, number>> = {
	CANCELLED: 499,
	INVALID_ARGUMENT: 400,
	FAILED_PRECONDITION: 400,
	OUT_OF_RANGE: 400,
	DEADLINE_EXCEEDED: 504,
	NOT_FOUND: 404,
	ALREADY_EXISTS: 409,
	ABORTED: 409,
	PERMISSION_DENIED: 403,
	UNAUTHENTICATED: 401,
	RESOURCE_EXHAUSTED: 429,
	UNIMPLEMENTED: 501,
	UNKNOWN: 500,
	INTERNAL: 500,
	DATA_LOSS: 500,
	UNAVAILABLE: 503,
};
