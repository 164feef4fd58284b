import type {ContextRules} from '../../history/composer.ts';
import {composeRequest, lastSetup, type ComposedRequest} from '../../history/context.ts';
import type {Item} from '../../history/item.ts';
import type {ReadMedia} from '../../history/media.ts';
import {requestBody} from '../request-body.ts';
import {leavingOut, type RewriteNotes, type RewritePlace, type RewriteRule} from '../../history/rewrites.ts';
import {findConstants} from './constants.ts';
import {attributeHeaders, type HeaderSource} from './headers.ts';
import {markRequest, type Mark} from './marks.ts';
import type {Piece, Source} from './source.ts';
import {walkBody, type BodyFacts} from './walk.ts';

/** The exact request after some items, and where each byte of it comes from. */
export type Attribution = {
	readonly body: string;
	/** Their texts together are the body. */
	readonly pieces: readonly Piece[];
	/** The headers that inkpod sets, without the user's own. */
	readonly headers: readonly HeaderSource[];
	/** The places in the body, the headers and the items that have no source. Any of them is a defect of inkpod. */
	readonly unknown: readonly string[];
};

type AttributionResult =
	| {readonly ok: true; readonly attribution: Attribution}
	/** `sentence` is absent if there is no setup yet. */
	| {readonly ok: false; readonly sentence?: string};

/** A request as a server received it. `configured` are the names of the user's own headers. */
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
Makes the request after these items as it was sent, without its key, and finds the source of each piece. The same
request with marks instead of texts goes through the same code and the same package. Wherever a mark arrives is the text
of its item. Both bodies must have the same shape, so a source that does not fit is reported. With `received` it
attributes that request instead.
*/
export async function attributeRequest(
	items: readonly Item[],
	origins: ContextRules,
	{received, readMedia}: AttributionOptions = {},
): Promise<AttributionResult> {
	const setup = lastSetup(items);
	if (setup === undefined) return {ok: false};
	const composed = withMedia(composeRequest(items, origins), readMedia);
	const marked = markRequest(composed, setup);
	const real = await requestBody(setup.model, composed.request);
	const twin = await requestBody(setup.model, marked.request);
	if (!real.ok) return real;
	if (!twin.ok) return twin;
	const follows = findFollowed(composed, real.rewrites);
	const facts: BodyFacts = {
		marked,
		follows,
		constant: await findConstants(setup, follows),
		split: (of, text, source) =>
			splitCall(composed, {of, text, source}) ?? splitSummary(composed, {of, text, source}),
		parameters: tool => setup.tools.find(({name}) => name === tool)?.parameters,
	};
	return {ok: true, attribution: attribute(received ?? real, twin.body, facts)};
}

function withMedia(composed: ComposedRequest, readMedia: ReadMedia | undefined): ComposedRequest {
	return readMedia === undefined ? composed : {...composed, request: {...composed.request, readMedia}};
}

function attribute({body, headers: sent, configured}: ReceivedRequest, twin: string, facts: BodyFacts): Attribution {
	const walked = walkBody(JSON.parse(body), JSON.parse(twin), facts);
	const headers = attributeHeaders(sent, facts.follows, configured);
	const isWhole = walked.pieces.map(({text}) => text).join('') === body;
	return {
		body,
		pieces: walked.pieces,
		headers,
		unknown: [
			...walked.unknown,
			...(isWhole ? [] : ['(bytes between the values)']),
			...headers.flatMap(({name, source}) => (source === 'unknown' ? [`header ${name}`] : [])),
			...lostItems(walked.found, facts),
		],
	};
}

/** Returns a test whether a rule was noted, for a part of the request or at all. */
function findFollowed({notes, sources}: ComposedRequest, sent: RewriteNotes | undefined): BodyFacts['follows'] {
	const places = new Map<RewriteRule, Set<RewritePlace>>();
	for (const each of [notes, sent])
		for (const [rule, where] of each ?? []) places.set(rule, new Set([...(places.get(rule) ?? []), ...where]));
	return (rule, of) => {
		const where = places.get(rule);
		if (where === undefined || of === undefined) return where !== undefined;
		return where.has(of) || (typeof of === 'object' && where.has(sources().get(of)?.id ?? of));
	};
}

type Words = {readonly of: object | 'setup'; readonly text: string; readonly source: Source};

/** The heading of a call or a result that is sent as text comes from a rule. */
function splitCall({sources}: ComposedRequest, {of, text, source}: Words): readonly Piece[] | undefined {
	const item = typeof of === 'object' ? sources().get(of) : undefined;
	if (
		source.kind !== 'item' ||
		source.part !== 'text' ||
		(item?.type !== 'tool_call' && item?.type !== 'tool_result')
	)
		return undefined;
	const start = text.indexOf('\n') + 1;
	const part = item.type === 'tool_call' ? 'arguments' : 'content';
	return [
		{text: text.slice(0, start), source: {kind: 'rule', rule: 'call_as_text'}},
		...(start < text.length ? [{text: text.slice(start), source: {...source, part} as const}] : []),
	];
}

/** The heading of a summary and the names of its files are not its words. */
function splitSummary({sources}: ComposedRequest, {of, text, source}: Words): readonly Piece[] {
	const item = typeof of === 'object' ? sources().get(of) : undefined;
	if (item?.type !== 'compaction') return [{text, source}];
	const start = text.indexOf('\n') + 1;
	const end = start + item.summary.length;
	const rule: Source = {kind: 'rule', rule: 'summary_heading'};
	return [
		{text: text.slice(0, start), source: rule},
		{text: text.slice(start, end), source},
		...(end < text.length ? [{text: text.slice(end), source: rule}] : []),
	];
}

/** Returns the items whose content is not in the body, although no rule left it out. */
function lostItems(found: ReadonlySet<Mark>, {marked, follows}: BodyFacts): readonly string[] {
	const sentData = new Set(
		[...found].flatMap(({of, alsoOf, source}) => (isPart(source, 'provider data') ? [of, ...alsoOf] : [])),
	);
	return [...marked.marks.values()].flatMap(mark => {
		const {source, of} = mark;
		const mustBeSent = source.kind !== 'item' || contentParts.has(source.part);
		if (found.has(mark) || !mustBeSent || leavingOut.some(rule => follows(rule, of))) return [];
		if (isPart(source, 'thoughts') && sentData.has(of)) return [];
		return [`not sent: ${source.kind === 'item' ? `${source.part} of ${source.id}` : source.kind}`];
	});
}

/** Names and ids of calls are not on every wire, and data goes only to its own provider. */
const contentParts: ReadonlySet<string> = new Set(['text', 'thoughts', 'arguments', 'content', 'bytes']);

function isPart(source: Source, part: string): boolean {
	return source.kind === 'item' && source.part === part;
}
