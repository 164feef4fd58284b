import type {ComposedRequest} from '../../history/context.ts';
import type {ProviderData, Setup} from '../../history/item.ts';
import type {Media} from '../../history/media.ts';
import type {AssistantPart, ModelMessage, ModelRequest, ToolAnswer} from '../../history/model.ts';
import {wireOf} from '../load.ts';
import {isRecord} from '../values.ts';
import type {Source} from './source.ts';

/** What a mark in a marked request stands for. */
export type Mark = {
	readonly source: Source;
	/** The value in the item. */
	readonly plain: string;
	/** The value in the request, after the rules of the context. */
	readonly sent: string;
	/** The part of the request; `setup` for a value of the setup. */
	readonly of: object | 'setup';
	/** Other parts of the same message with the same value. */
	readonly alsoOf: object[];
};

/** A request whose texts are replaced by marks. Its body has the same shape, and the marks are where the texts are. */
export type MarkedRequest = {
	readonly request: ModelRequest;
	readonly marks: ReadonlyMap<string, Mark>;
	/** The values of provider data that keep their text, because they steer a package: key and value to their source. */
	readonly data: ReadonlyMap<string, Source>;
	/** Blank texts, which keep their text, too. */
	readonly blanks: ReadonlyMap<string, Source>;
};

/** Matches the marks in a text. */
export const markPattern = /inkpodMark\d{8}E/g;

export function dataKey(key: string, value: unknown): string {
	return JSON.stringify([key, value]);
}

export function markRequest({request, sources, gaps}: ComposedRequest, setup: Setup): MarkedRequest {
	const marker = new Marker(wireOf(setup.model, setup.settings) !== undefined);
	const {prompt, tools, settings, messages, readMedia} = request;
	const source = (of: object): Source =>
		gaps.has(of) ? {kind: 'rule', rule: 'gap_line'} : {kind: 'item', id: sources().get(of)?.id ?? '', part: 'text'};
	const marked = {
		prompt: prompt === '' ? '' : marker.text(prompt, {source: {kind: 'setup', key: 'prompt'}, of: 'setup'}),
		tools: tools.map((tool, index) => markTool(marker, tool, setup.tools[index] ?? tool)),
		settings,
		messages: messages.map(message => new MessageMarker(marker, sources, source).mark(message)),
		...(readMedia !== undefined && {
			readMedia: async (media: Media) => marker.mediaMark(media, await readMedia(media)),
		}),
	};
	return {request: marked, marks: marker.marks, data: marker.data, blanks: marker.blanks};
}

type Marked = {readonly source: Source; readonly of: object | 'setup'; readonly plain?: string};

class Marker {
	readonly marks = new Map<string, Mark>();
	readonly data = new Map<string, Source>();
	readonly blanks = new Map<string, Source>();
	readonly #hasWire: boolean;
	readonly #media = new Map<Media, string>();
	readonly #ids = new Map<string, string>();
	readonly #values = new Map<string, string>();

	/** Without a wire the hash of the bytes stands for them, as in the item. */
	constructor(hasWire: boolean) {
		this.#hasWire = hasWire;
	}

	text(sent: string, {source, of, plain = sent}: Marked): string {
		if (sent.trim() === '' && of !== 'setup') {
			if (!this.blanks.has(sent)) this.blanks.set(sent, source);
			return sent;
		}
		return this.always(sent, {source, of, plain});
	}

	/** Marks a text, also a blank one. */
	always(sent: string, {source, of, plain = sent}: Marked): string {
		const mark = `inkpodMark${String(this.marks.size).padStart(8, '0')}E`;
		this.marks.set(mark, {source, plain, sent, of, alsoOf: []});
		return mark;
	}

	/** Marks the bytes of an image or document, and the facts about it that are sent under these names. */
	media(media: Media, {source, of}: Marked): void {
		if (this.#hasWire) this.#media.set(media, this.always('', {source, of}));
		const {mime} = media;
		const names = {media_type: mime, mimeType: mime, format: mime.slice(mime.indexOf('/') + 1), ...media};
		for (const [key, value] of Object.entries(names)) this.data.set(dataKey(key, value), source);
	}

	/** Returns the mark of an image or document instead of its bytes. `data` are the bytes as they are sent. */
	mediaMark(media: Media, data: string | undefined): string | undefined {
		const name = this.#media.get(media);
		const mark = name === undefined ? undefined : this.marks.get(name);
		if (data === undefined || name === undefined || mark === undefined) return undefined;
		this.marks.set(name, {...mark, plain: data, sent: data});
		return name;
	}

	/** A call and its result have the same id. Every server accepts a mark of nine letters and digits. */
	id(sent: string, marked: Marked): string {
		const known = this.#ids.get(sent);
		if (known !== undefined) return known;
		const mark = `q${String(this.marks.size).padStart(8, '0')}`;
		this.#ids.set(sent, mark);
		this.marks.set(mark, {...marked, plain: marked.plain ?? sent, sent, alsoOf: []});
		return mark;
	}

	/** Forgets the values of provider data: packages compare ids only within a message. */
	nextMessage(): void {
		this.#values.clear();
	}

	/** Marks the texts in provider data. Equal texts of a message get equal marks. */
	provider(data: ProviderData | undefined, marked: Marked): {readonly provider?: ProviderData} {
		if (data === undefined) return {};
		return {
			provider: Object.fromEntries(
				Object.entries(data).map(([key, value]) => [key, this.#value(key, value, marked)]),
			),
		};
	}

	#value(key: string, value: unknown, marked: Marked): unknown {
		if (Array.isArray(value)) return value.map(each => this.#value(key, each, marked));
		if (isRecord(value))
			return Object.fromEntries(Object.entries(value).map(([k, each]) => [k, this.#value(k, each, marked)]));
		if (typeof value === 'string' && value !== '' && !steeringKeys.has(key)) {
			const known = this.#values.get(value);
			const mark = known ?? this.always(value, marked);
			if (known !== undefined && typeof marked.of === 'object') this.marks.get(known)?.alsoOf.push(marked.of);
			this.#values.set(value, mark);
			return mark;
		}
		if (!this.data.has(dataKey(key, value))) this.data.set(dataKey(key, value), marked.source);
		return value;
	}
}

/** Packages read these fields of provider data, so they keep their values. */
const steeringKeys: ReadonlySet<string> = new Set(['type', 'phase', 'format', 'status', 'role', 'async']);

function markTool(marker: Marker, tool: Setup['tools'][number], {name}: Setup['tools'][number]): typeof tool {
	const source = (key: string): Source => ({kind: 'setup', key: `tools.${name}.${key}`});
	return {
		name: marker.always(tool.name, {source: source('name'), of: 'setup'}),
		description:
			tool.description.trim() === ''
				? tool.description
				: marker.always(tool.description, {source: source('description'), of: 'setup'}),
		parameters: tool.parameters,
	};
}

class MessageMarker {
	readonly #marker: Marker;
	readonly #sources: ComposedRequest['sources'];
	readonly #textSource: (of: object) => Source;

	constructor(marker: Marker, sources: ComposedRequest['sources'], textSource: (of: object) => Source) {
		this.#marker = marker;
		this.#sources = sources;
		this.#textSource = textSource;
	}

	mark(message: ModelMessage): ModelMessage {
		this.#marker.nextMessage();
		if (message.role === 'user') {
			const {text, media} = message;
			if (media !== undefined) this.#marker.media(media, this.#of(message, 'bytes'));
			const marked = this.#marker.text(text, {source: this.#textSource(message), of: message});
			return {role: 'user', text: marked, media};
		}
		if (message.role === 'tool') return {role: 'tool', results: message.results.map(each => this.#result(each))};
		return {role: 'assistant', parts: message.parts.map(part => this.#part(part))};
	}

	#part(part: AssistantPart): AssistantPart {
		const data = this.#marker.provider(part.provider, this.#of(part, 'provider data'));
		if (part.type !== 'tool_call') {
			const marked = this.#of(part, part.type === 'text' ? 'text' : 'thoughts');
			return {type: part.type, text: this.#marker.text(part.text, marked), ...data};
		}
		const item = this.#sources().get(part);
		const call = item?.type === 'tool_call' ? item : undefined;
		const {plainId = part.callId, plainName = part.name} = {plainId: call?.callId, plainName: call?.name};
		return {
			type: 'tool_call',
			callId: this.#marker.id(part.callId, {...this.#of(part, 'call id'), plain: plainId}),
			name: this.#marker.always(part.name, {...this.#of(part, 'name'), plain: plainName}),
			arguments: `{"${this.#marker.always(part.arguments, this.#of(part, 'arguments'))}":true}`,
			...data,
		};
	}

	#result(result: ToolAnswer): ToolAnswer {
		return {
			callId: this.#marker.id(result.callId, this.#of(result, 'call id')),
			name: this.#marker.always(result.name, this.#of(result, 'name')),
			content: this.#marker.always(result.content, this.#of(result, 'content')),
			isError: result.isError,
		};
	}

	#of(of: object, part: Extract<Source, {kind: 'item'}>['part']): Marked {
		return {source: {kind: 'item', id: this.#sources().get(of)?.id ?? '', part}, of};
	}
}
