import {randomUUID} from 'node:crypto';
import type {ProviderData} from '../../../history/item.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {argumentsText, textIn} from '../fields.ts';
import {unreadPart} from '../unread.ts';
import {fieldOf} from '../../values.ts';
import {createPartialArguments, piecesIn} from './partial-arguments.ts';

/** Reads the calls of a candidate. The arguments of a call arrive as a whole or in pieces. */
type GeminiCalls = {
	/** `data`: the signature of the part. */
	read(call: unknown, data: ProviderData | undefined): readonly AnswerEvent[];
	/** The number of calls that began, of calls that are complete, and of calls without a name. */
	readonly counts: {readonly begun: number; readonly whole: number; readonly nameless: number};
};

/** `endText` ends the text or thought before a call. */
export function createGeminiCalls(notes: AnswerNotes, endText: () => readonly AnswerEvent[]): GeminiCalls {
	const counts = {begun: 0, whole: 0, nameless: 0};
	let open: OpenCall | undefined;
	/** Whether parts without a name belong to the open call. */
	let isContinued = false;

	function readWhole(name: string, call: unknown, data: ProviderData | undefined): readonly AnswerEvent[] {
		counts.whole += 1;
		const id = idOf(call);
		const text = argumentsOf(call);
		return [
			...endText(),
			{type: 'call_start', id, name, ...withData(data)},
			...(text === '' ? [] : [{type: 'delta', kind: 'tool_call', id, text} as const]),
			{type: 'call_end', id, name, text: text === '' ? '{}' : text},
		];
	}

	/** Ends a call whose arguments arrived in pieces. The text before the call ends only now. */
	function endCall({id, name, data, parts}: OpenCall): readonly AnswerEvent[] {
		counts.whole += 1;
		open = undefined;
		const {text, rest} = parts.whole();
		return [
			...endText(),
			...(rest === '' ? [] : [{type: 'delta', kind: 'tool_call', id, text: rest} as const]),
			{type: 'call_end', id, name, text, ...withData(data)},
		];
	}

	return {
		counts,
		read(call, data) {
			const name = textIn(call, 'name');
			if (name === undefined && !isContinued) {
				counts.nameless += 1;
				notes.addUnread(unreadPart('functionCall', call));
				return [];
			}
			const pieces = piecesIn(fieldOf(call, 'partialArgs'));
			const willContinue = fieldOf(call, 'willContinue') === true;
			isContinued = willContinue || pieces?.some(piece => piece.willContinue) === true;
			if (name !== undefined) {
				counts.begun += 1;
				notes.countPart();
				if (pieces === undefined && !willContinue) return readWhole(name, call, data);
				open = {id: idOf(call), name, data, parts: createPartialArguments()};
			}
			if (open === undefined) return [];
			const {id} = open;
			const text = pieces === undefined ? '' : open.parts.add(pieces);
			const isEnd = !isContinued && (pieces !== undefined || argumentsOf(call) === '');
			return [
				...(name === undefined ? [] : [{type: 'call_start', id, name, ...withData(data)} as const]),
				...(text === '' ? [] : [{type: 'delta', kind: 'tool_call', id, text, ...withData(data)} as const]),
				...(isEnd ? endCall(open) : []),
			];
		},
	};
}

/** A call whose arguments arrive in pieces. */
type OpenCall = {
	readonly id: string;
	readonly name: string;
	readonly data: ProviderData | undefined;
	readonly parts: ReturnType<typeof createPartialArguments>;
};

/** Returns the id of a call. For models before Gemini 3, Gemini's own server sends no ids. */
function idOf(call: unknown): string {
	return textIn(call, 'id') ?? randomUUID();
}

function argumentsOf(call: unknown): string {
	return argumentsText(fieldOf(call, 'args') ?? fieldOf(call, 'arguments'));
}

function withData(data: ProviderData | undefined): {readonly data?: ProviderData} {
	return data === undefined ? {} : {data};
}
