import {en} from '../../../../language/index.ts';
import {AnswerRefused} from '../../http/refusal.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {createCitations} from '../citations.ts';
import type {AddedText, EventReader} from '../event-reader.ts';
import {isObject, textIn} from '../fields.ts';
import {errorIn, type StreamError} from '../stream-error.ts';
import {plainCopy} from '../plain-copy.ts';
import {unreadPart, withUnreadLimit} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';
import {blockReasonOf, finishReasonOf, noteBlock, noteFinish, usageOf} from './gemini-end.ts';
import {createGrounding} from './gemini-grounding.ts';
import {createGeminiParts} from './gemini-parts.ts';

/** Reads the chunks of streamGenerateContent. (ai.google.dev/api/generate-content) */
export function createGeminiReader(notes: AnswerNotes): EventReader {
	return {...createChunkReader(notes), addedText};
}

function createChunkReader(answerNotes: AnswerNotes): EventReader {
	const notes = withUnreadLimit(answerNotes);
	const citations = createCitations(notes);
	const parts = createGeminiParts(notes, citations);
	const addGrounding = createGrounding(notes, citations);
	let usage: Record<string, number> = {};
	let hasFinish = false;
	let understood = 0;
	let unknown = 0;

	function readCandidate(candidate: unknown): Record<string, unknown> {
		const content = parts.read(fieldOf(candidate, 'content'));
		addGrounding(candidate, parts.counts.isInText);
		const reason = finishReasonOf(candidate);
		const token = textIn(candidate, 'continuationToken');
		if (reason !== undefined) finish(reason, candidate);
		return {
			...(content.length > 0 && {content: {parts: content}}),
			...(reason !== undefined && {finishReason: reason}),
			...(token !== undefined && {continuationToken: token}),
		};
	}

	function finish(reason: string, candidate: unknown): void {
		hasFinish = true;
		noteFinish(notes, reason, candidate);
		const {calls, namelessCalls} = parts.counts;
		if (reason === 'STOP' && calls === 0 && namelessCalls > 0)
			notes.setEnd({stop: 'unread_call', explanation: namelessCall});
	}

	function readChunk(event: unknown): readonly unknown[] {
		const candidate = elementsOf(fieldOf(event, 'candidates'))[0];
		const read = candidate === undefined ? {} : readCandidate(candidate);
		const block = blockReasonOf(event);
		if (block !== undefined) {
			hasFinish = true;
			noteBlock(notes, block, event);
		}
		const more = usageOf(event);
		const chunk = {
			...(Object.keys(read).length > 0 && {candidates: [read]}),
			...(block !== undefined && {promptFeedback: {blockReason: block}}),
			...(Object.keys(more).length > 0 && {usageMetadata: (usage = {...usage, ...more})}),
		};
		// After this reason, the package requests the rest in a new request and adds the counts of both.
		if (finishReasonOf(candidate) === 'CONTINUATION') usage = {};
		return Object.keys(chunk).length === 0 ? [] : [chunk];
	}

	function readOne(event: unknown): readonly unknown[] {
		const chunk = unwrapped(event);
		const error = errorIn(chunk);
		if (error === undefined && !isChunk(chunk)) {
			unknown += 1;
			return [];
		}
		understood += 1;
		return error === undefined ? readChunk(chunk) : [errorEvent(error)];
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
				? chunks.flatMap(readOne)
				: undefined;
		},
		end(isDone) {
			if (understood === 0 && unknown > 0) throw new AnswerRefused('not_an_answer', '');
			if (hasFinish || !isDone || parts.counts.parts === 0) return [];
			return [{candidates: [{finishReason: 'STOP'}]}];
		},
	};
}

/** Reads a chunk that has one text, thought or argument without a signature, and nothing else. */
function addedText(chunk: unknown): AddedText | undefined {
	const candidate = elementsOf(fieldOf(chunk, 'candidates'))[0];
	const [part, ...more] = elementsOf(fieldOf(fieldOf(candidate, 'content'), 'parts'));
	const isAlone = [chunk, candidate].every(value => isObject(value) && Object.keys(value).length === 1);
	const added = isAlone && more.length === 0 ? (textAdded(part) ?? argumentAdded(part)) : undefined;
	return added && {...added, event: text => ({candidates: [{content: {parts: [added.part(text)]}}]})};
}

type AddedPart = Pick<AddedText, 'place' | 'text'> & {readonly part: (text: string) => unknown};

function textAdded(part: unknown): AddedPart | undefined {
	const {text, thought, ...others} = isObject(part) ? part : {};
	if (typeof text !== 'string' || Object.keys(others).length > 0) return undefined;
	const isThought = thought === true;
	return {
		place: isThought ? 'thought' : 'text',
		text,
		part: all => ({text: all, ...(isThought && {thought: true})}),
	};
}

/** A piece of one argument of a call that has begun. */
function argumentAdded(part: unknown): AddedPart | undefined {
	const call = fieldOf(part, 'functionCall');
	const [piece, ...more] = elementsOf(fieldOf(call, 'partialArgs'));
	const text = fieldOf(piece, 'stringValue');
	const isOpen = [call, piece].every(value => fieldOf(value, 'willContinue') === true);
	const counts = [part, call, piece].map(value => (isObject(value) ? Object.keys(value).length : 0)).join();
	if (typeof text !== 'string' || !isOpen || more.length > 0 || counts !== '1,2,3' || !isObject(piece))
		return undefined;
	const pieceOf = (stringValue: string) => ({partialArgs: [{...piece, stringValue}], willContinue: true});
	return {
		place: `argument ${String(piece['jsonPath'])}`,
		text,
		part: all => ({functionCall: pieceOf(all)}),
	};
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

function errorEvent({code, message, status = '', details}: StreamError): unknown {
	const number = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
	const isNumber = typeof number === 'number';
	return {
		error: {
			code: isNumber ? number : null,
			message,
			status: status === '' && !isNumber && code !== undefined ? code : status,
			...(details !== undefined && {details: plainCopy(details)}),
		},
	};
}
