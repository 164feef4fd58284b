import type {ContextRules} from '../../history/composer.ts';
import {composeRequest, lastSetup, type ComposedRequest} from '../../history/context.ts';
import type {Item} from '../../history/item.ts';
import type {ReadMedia} from '../../history/media.ts';
import type {AssistantPart, ModelRequest} from '../../history/model.ts';
import {leavingOut, type RewriteNotes, type RewritePlace, type RewriteRule} from '../../history/rewrites.ts';
import {piecesOf, type BodyPiece, type ItemPart, type Origin} from '../encode/sourced.ts';
import {requestBody} from '../request-body.ts';
import {attributeHeaders, type HeaderSource} from './headers.ts';
import {form, type Piece, type Source} from './source.ts';

/** The exact request after some items, and where each byte of it comes from. */
export type Attribution = {
	readonly body: string;
	/** The texts of all pieces, joined, are the body. */
	readonly pieces: readonly Piece[];
	/** The headers that inkpod sets, without the user's own. */
	readonly headers: readonly HeaderSource[];
	/**
	The parts of the body, the headers and the items whose source or use is unknown. Any entry is a bug in inkpod.
	*/
	readonly unknown: readonly string[];
};

type AttributionResult =
	| {readonly ok: true; readonly attribution: Attribution}
	/** `sentence` is absent if there is no setup yet. */
	| {readonly ok: false; readonly sentence?: string};

/** A request as a server received it. `configured`: the names of the user's own headers. */
type ReceivedRequest = {
	readonly body: string;
	readonly headers: ReadonlyArray<readonly [string, string]>;
	readonly configured?: readonly string[];
};

export type AttributionOptions = {
	readonly received?: ReceivedRequest;
	/** Reads the images and documents of the items. */
	readonly readMedia?: ReadMedia | undefined;
};

/**
Composes the request after these items as it was sent, without its key, and names the source of each piece. If
`received` is given, `unknown` says whether its body differs.
*/
export async function attributeRequest(
	items: readonly Item[],
	origins: ContextRules,
	{received, readMedia}: AttributionOptions = {},
): Promise<AttributionResult> {
	const setup = lastSetup(items);
	if (setup === undefined) return {ok: false};
	const composed = composeRequest(items, origins);
	const request: ModelRequest = {...composed.request, ...(readMedia !== undefined && {readMedia})};
	const made = await requestBody(setup.model, request);
	if (!made.ok) return made;
	const follows = findFollowed(composed, made.rewrites);
	const pieces = piecesOf(made.tree);
	const headers = attributeHeaders(received?.headers ?? made.headers, follows, received?.configured);
	return {
		ok: true,
		attribution: {
			body: made.body,
			pieces: joinedPieces(pieces.flatMap(piece => sourcedPieces(piece, composed))),
			headers,
			unknown: [
				...(received === undefined || received.body === made.body ? [] : ['(the bytes that were received)']),
				...headers.flatMap(({name, source}) => (source === 'unknown' ? [`header ${name}`] : [])),
				...lostParts(request, {pieces, composed, follows}),
			],
		},
	};
}

type Follows = (rule: RewriteRule, of?: object | 'setup') => boolean;

/**
Returns a function that tells whether a rule was noted for a part of the request, or for any part if `of` is absent.
*/
function findFollowed({notes, sources}: ComposedRequest, sent: RewriteNotes | undefined): Follows {
	const places = new Map<RewriteRule, Set<RewritePlace>>();
	for (const each of [notes, sent])
		for (const [rule, where] of each ?? []) places.set(rule, new Set([...(places.get(rule) ?? []), ...where]));
	return (rule, of) => {
		const where = places.get(rule);
		if (where === undefined || of === undefined) return where !== undefined;
		return where.has(of) || (typeof of === 'object' && where.has(sources().get(of)?.id ?? of));
	};
}

/** Returns a piece of the body with the id of its item. Headings that a rule adds become separate pieces. */
function sourcedPieces({text, origin}: BodyPiece, composed: ComposedRequest): readonly Piece[] {
	if (origin === undefined) return [{text, source: form}];
	if (origin.kind !== 'part') return [{text, source: origin}];
	const {of, part} = origin;
	if (composed.gaps.has(of)) return [{text, source: {kind: 'rule', rule: 'gap_line'}}];
	const item = composed.sources().get(of);
	const rule = origin.rule ?? contextRule(origin, item);
	const source: Source = {kind: 'item', id: item?.id ?? '', part, ...(rule !== undefined && {rule})};
	if (part !== 'text') return [{text, source}];
	if (item?.type === 'tool_call' || item?.type === 'tool_result') return splitCall(text, source, item.type);
	return item?.type === 'compaction' ? splitSummary(text, source, item.summary) : [{text, source}];
}

/** Returns the rule that changed the name or id of a call when the request was composed. */
function contextRule({of, part}: Extract<Origin, {kind: 'part'}>, item: Item | undefined): RewriteRule | undefined {
	if (item?.type !== 'tool_call' || !isCall(of)) return undefined;
	if (part === 'name' && of.name !== item.name) return 'tool_name';
	return part === 'call id' && of.callId !== item.callId ? 'repeated_call_id' : undefined;
}

function isCall(part: object): part is Extract<AssistantPart, {type: 'tool_call'}> {
	return 'type' in part && part.type === 'tool_call';
}

/** A line break in a text of the body, which has JSON escapes. */
const lineBreak = String.raw`\n`;

type ItemSource = Extract<Source, {kind: 'item'}>;

/** Splits a call or a result that is sent as text. Its heading comes from a rule. */
function splitCall(text: string, source: ItemSource, type: 'tool_call' | 'tool_result'): readonly Piece[] {
	const start = text.indexOf(lineBreak) + lineBreak.length;
	const part = type === 'tool_call' ? 'arguments' : 'content';
	return [
		{text: text.slice(0, start), source: {kind: 'rule', rule: 'call_as_text'}},
		...(start < text.length ? [{text: text.slice(start), source: {...source, part} as const}] : []),
	];
}

/** Splits a summary. Its heading and the names of its files come from a rule. */
function splitSummary(text: string, source: ItemSource, summary: string): readonly Piece[] {
	const start = text.indexOf(lineBreak) + lineBreak.length;
	const end = start + JSON.stringify(summary.toWellFormed()).length - 2;
	const rule: Source = {kind: 'rule', rule: 'summary_heading'};
	return [
		{text: text.slice(0, start), source: rule},
		{text: text.slice(start, end), source},
		...(end < text.length ? [{text: text.slice(end), source: rule}] : []),
	];
}

function joinedPieces(pieces: readonly Piece[]): readonly Piece[] {
	const joined: Piece[] = [];
	for (const {text, source} of pieces) {
		const last = joined.at(-1);
		if (last !== undefined && keyOf(last.source) === keyOf(source))
			joined[joined.length - 1] = {text: last.text + text, source: last.source};
		else joined.push({text, source});
	}
	return joined;
}

function keyOf(source: Source): string {
	if (source.kind === 'item') return `${source.id} ${source.part} ${source.rule}`;
	if (source.kind === 'setup') return `${source.key} ${source.rule}`;
	return source.kind === 'rule' ? source.rule : source.kind;
}

type LossContext = {
	readonly pieces: readonly BodyPiece[];
	readonly composed: ComposedRequest;
	readonly follows: Follows;
};

/** Returns the parts whose content is not in the body, although no rule left it out. */
function lostParts({prompt, messages}: ModelRequest, {pieces, composed, follows}: LossContext): readonly string[] {
	const found = new Map<object, Set<ItemPart>>();
	for (const {origin} of pieces)
		if (origin?.kind === 'part') found.set(origin.of, (found.get(origin.of) ?? new Set()).add(origin.part));
	const hasPrompt = pieces.some(({origin}) => origin?.kind === 'setup' && origin.key === 'prompt');
	const lost = messages.flatMap(contentOf).filter(({of, part}) => {
		const sent = found.get(of);
		const isSent = sent?.has(part) === true || (part === 'thoughts' && sent?.has('provider data') === true);
		return !isSent && !leavingOut.some(rule => follows(rule, of)) && !follows('no_message', of);
	});
	return [
		...(prompt === '' || hasPrompt ? [] : ['not sent: prompt']),
		...lost.map(({of, part}) => `not sent: ${part} of ${composed.sources().get(of)?.id ?? ''}`),
	];
}

type Content = {readonly of: object; readonly part: ItemPart};

/**
Returns the contents that must be in a body. Names and ids of calls are not included, because not every wire sends them.
Empty texts are not included, because no piece comes from them.
*/
function contentOf(message: ModelRequest['messages'][number]): readonly Content[] {
	const texts: ReadonlyArray<Content & {readonly text: string}> =
		message.role === 'user'
			? [{of: message, part: 'text', text: message.text}]
			: message.role === 'tool'
				? message.results.map(of => ({of, part: 'content', text: of.content}))
				: message.parts.map(of =>
						of.type === 'tool_call'
							? {of, part: 'arguments', text: of.arguments}
							: {of, part: of.type === 'text' ? 'text' : 'thoughts', text: of.text},
					);
	const media: readonly Content[] =
		message.role === 'user' && message.media !== undefined ? [{of: message, part: 'bytes'}] : [];
	return [...texts.filter(({text}) => text !== ''), ...media];
}
