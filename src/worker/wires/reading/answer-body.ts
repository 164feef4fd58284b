import {AnswerRefused} from '../http/refusal.ts';
import {textOf, type Source} from '../http/source.ts';
import {parseJson} from '../values.ts';
import {readEvents, type EventSource} from './event-source.ts';
import type {EventReader} from './event-reader.ts';
import {joinTexts} from './join-texts.ts';

/**
Returns the events of a successful answer. Its form is an event stream, one JSON value (which may be an error), or JSON
lines. The content determines the form, because the content type of some servers is wrong. A web page or other text is
refused.
*/
export function readAnswer(source: Source, reader: EventReader, contentType: string | null): EventSource {
	let opened: Promise<EventSource> | undefined;
	return {
		async next() {
			opened ??= openAnswer(source, reader, contentType);
			return (await opened).next();
		},
	};
}

async function openAnswer(source: Source, reader: EventReader, contentType: string | null): Promise<EventSource> {
	const isStream = contentType === null || /^text\/event-stream|ndjson|jsonl|octet-stream/i.test(contentType);
	const {kind, pieces} = await beginningOf(source, isStream);
	const whole = replayed(pieces, source);
	if (kind === 'stream') return readEvents(whole, reader);
	if (kind === 'json') return wholeAnswer(whole, reader);
	const refusal = kind === 'page' ? pageRefusal(await beginningText(whole)) : textRefusal(await beginningText(whole));
	void source.cancel(refusal).catch(() => {});
	throw refusal;
}

type Kind = 'stream' | 'json' | 'page' | 'text';

async function beginningOf(source: Source, isStream: boolean): Promise<{kind: Kind; pieces: Uint8Array[]}> {
	const pieces: Uint8Array[] = [];
	let text = '';
	for (let piece = await source.read(); !piece.done; piece = await source.read()) {
		pieces.push(piece.value);
		text = (text + Buffer.from(piece.value).toString('latin1'))
			.replace(/^(?:\u00ef\u00bb\u00bf)?\s+/, '')
			.slice(0, 16);
		const kind = kindOf(text, isStream);
		if (kind !== undefined) return {kind, pieces};
	}
	return {kind: isStream || text === '' ? 'stream' : 'text', pieces};
}

/** Returns the form of an answer by its first characters. Returns `undefined` if more characters are needed. */
function kindOf(beginning: string, isStream: boolean): Kind | undefined {
	const text = beginning.replace(/^\u00ef\u00bb\u00bf\s*/, '');
	const [first = ''] = text;
	if (first === '' || '\u00ef\u00bb\u00bf'.startsWith(text)) return undefined;
	if (first === '{' || first === '[') return 'json';
	if (first === '<') return 'page';
	if (isStream || /^(?:data|event|id|retry|error)?:/.test(text)) return 'stream';
	return fieldNames.some(name => name.startsWith(text)) ? undefined : 'text';
}

const fieldNames = ['data', 'event', 'id', 'retry', 'error'];

/** Returns a source whose first pieces were already read. */
function replayed(pieces: readonly Uint8Array[], source: Source): Source {
	const left = [...pieces];
	return {
		async read() {
			const value = left.shift();
			return value === undefined ? source.read() : {done: false, value};
		},
		cancel: async reason => source.cancel(reason),
	};
}

async function wholeAnswer(source: Source, reader: EventReader): Promise<EventSource> {
	const text = await textOf(source);
	const value = parseJson(text) ?? jsonLines(text);
	if (value === undefined) throw new AnswerRefused('broken_json', '');
	const events = reader.readWhole(value);
	if (events === undefined) throw new AnswerRefused('not_an_answer', '');
	const whole = [joinTexts(events)];
	return {next: async () => whole.shift()};
}

function jsonLines(text: string): readonly unknown[] | undefined {
	const values = text.split(/[\r\n]+/).flatMap(line => (line.trim() === '' ? [] : [parseJson(line)]));
	return values.includes(undefined) ? undefined : values;
}

/** The maximum number of bytes that are read of a web page or other text. The head of a page has fewer bytes. */
const maxBeginning = 64 * 1024;

async function beginningText(source: Source): Promise<string> {
	const pieces: Uint8Array[] = [];
	let length = 0;
	for (let piece = await source.read(); !piece.done && length < maxBeginning; piece = await source.read()) {
		pieces.push(piece.value);
		length += piece.value.length;
	}
	return Buffer.concat(pieces).toString('utf8').slice(0, maxBeginning);
}

function pageRefusal(html: string): AnswerRefused {
	const [, title = ''] = /<title[^>]{0,200}>([^<]{1,400})/i.exec(html) ?? [];
	return new AnswerRefused('page', line(title));
}

function textRefusal(text: string): AnswerRefused {
	return new AnswerRefused('text', line(text.split(/[\r\n]/, 1)[0] ?? ''));
}

function line(text: string): string {
	const words = text.replaceAll(/\s+/g, ' ').trim();
	return words.length <= maxWords ? words : `${words.slice(0, maxWords).toWellFormed()}…`;
}

const maxWords = 120;
