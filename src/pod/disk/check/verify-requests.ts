import {isDeepStrictEqual} from 'node:util';
import {
	createGrowingContext,
	isWhole,
	requestBody,
	type Item,
	type ComposedRequest,
	type ReadMedia,
	type RequestItem,
	type Rewrite,
	type Media,
} from '../../../worker/index.ts';
import {originRules} from '../../ground/history/reader.ts';
import {createGrowingBodies, type GrowingBodies, type MakeBody} from './growing-bodies.ts';
import {isDamageNotice} from '../log/notices.ts';
import {verifyTexts, blobTexts} from '../texts.ts';
import {mediaIn} from '../../ground/history/media-of.ts';

/** The result of rebuilding a history's requests. Each request is counted once. */
export type RequestsVerdict = {
	/** The number of bodies that equal the bodies that were sent. */
	readonly same: number;
	readonly different: number;
	/**
	The number of bodies that the user removed text from later. They equal the bodies that were built again then.
	*/
	readonly redacted: number;
	/** The number of requests without a stored hash, because nothing was sent. */
	readonly unsent: number;
	/** The number of requests that cannot be checked, because something before them is damaged. */
	readonly unchecked: number;
	/** The number of requests that cannot be rebuilt. `why` is the reason for the first of them. */
	readonly unmade: number;
	readonly why?: string;
	/** The first request that differs, counted from 1. `made` and `sent` are sha256 hashes in hex. */
	readonly first?: {
		readonly n: number;
		readonly id: string;
		readonly at: string;
		readonly made: string;
		readonly sent: string;
	};
};

export type VerifyRequestsOptions = {
	readonly make?: MakeBody;
	/** Reads the images and documents of the history. Without this function, all of them count as missing. */
	readonly readMedia?: ReadMedia;
	/** The number of items at the start whose requests are not checked. */
	readonly from?: number;
};

/**
Rebuilds each request of a history from the items before it, and compares the hash of its body with the stored hash. It
needs no key and no network, and takes linear time if the requests are the same. A request after a damaged line may
differ only because it was sent before the damage, without the notice about the damaged line. So such a request counts
as unchecked.
*/
export async function verifyRequests(
	items: readonly Item[],
	{make = requestBody, readMedia, from = 0}: VerifyRequestsOptions = {},
): Promise<RequestsVerdict> {
	const counts = {same: 0, different: 0, redacted: 0, unchecked: 0, unsent: 0, unmade: 0};
	let why: string | undefined;
	let first: RequestsVerdict['first'];
	let n = 0;
	for await (const {item, made} of checkedRequests(items, {make, readMedia, from})) {
		n++;
		counts[made.became]++;
		if (made.became === 'unmade') why ??= made.sentence;
		if (made.became === 'different')
			first ??= {n, id: item.id, at: item.at, made: made.hash, sent: item.requestHash};
	}
	return {...counts, why, first};
}

/** A request of a history, the request that was built again, and the result of comparing them. */
export type CheckedRequest = {
	readonly item: RequestItem;
	readonly index: number;
	readonly composed: ComposedRequest | undefined;
	readonly made: Made;
	/** The hash that the body should have. The user may have removed text from it. */
	readonly sha256: string;
};

/** Builds each request of a history again, and compares it with the stored hash. */
export async function* checkedRequests(
	items: readonly Item[],
	{make = requestBody, readMedia, from = 0}: VerifyRequestsOptions = {},
): AsyncGenerator<CheckedRequest> {
	const requests = createGrowingContext(items, originRules);
	const media = createPastMedia(items, readMedia);
	const bodies = createGrowingBodies(async (model, request) => make(model, {...request, readMedia: media.read}));
	const hashes = redactedHashes(items);
	let isDamaged = false;
	for (const [index, item] of items.entries()) {
		isDamaged ||= isDamageNotice(item);
		if (item.type !== 'request' || index < from) continue;
		const composed = requests.at(requestEnd(items, index));
		media.begin(item);
		const thrown = () => thrownThoughts(items, index);
		const made = media.explained(await compared(item, composed, {bodies, isDamaged, thrown, hashes}));
		yield {item, index, composed, made, sha256: hashes.get(item.id) ?? item.requestHash};
	}
}

/** Returns the number of items that a request was made from. */
export function requestEnd(items: readonly Item[], index: number): number {
	const item = items[index];
	return item?.type === 'request' && isWhole(item) ? wholeAnswerStart(items, index) : index;
}

type Comparison = {
	readonly bodies: GrowingBodies;
	readonly isDamaged: boolean;
	readonly thrown: () => ReadonlySet<string>;
	readonly hashes: ReadonlyMap<string, string>;
};

async function compared(
	{id, model, requestHash, rewrites}: RequestItem,
	composed: ComposedRequest | undefined,
	{bodies, isDamaged, thrown, hashes}: Comparison,
): Promise<Made> {
	if (requestHash === '') return {became: 'unsent'};
	if (composed === undefined)
		return isDamaged ? {became: 'unchecked'} : {became: 'unmade', sentence: verifyTexts.noSetup};
	const redactedHash = hashes.get(id);
	const body = await bodies.match(model, composed.request, {
		sha256: redactedHash ?? requestHash,
		hasRules: notes =>
			redactedHash !== undefined ||
			rewrites === undefined ||
			followSame(rewrites, composed.rewrites(notes())) ||
			followSame(rewrites, composed.rewrites(notes(), thrown())),
	});
	if (!body.ok) return {became: 'unmade', sentence: body.sentence};
	if (body.isSame) return {became: redactedHash === undefined ? 'same' : 'redacted'};
	return isDamaged ? {became: 'unchecked'} : {became: 'different', hash: body.hash};
}

/** Returns the hashes of the bodies that were built again when text was last removed from the history, by request. */
function redactedHashes(items: readonly Item[]): ReadonlyMap<string, string> {
	const last = items.flatMap(item => (item.type === 'redaction' ? (item.requests ?? []) : []));
	return new Map(last.map(({id, hash}) => [id, hash]));
}

/**
Returns the ids of the thoughts from failed attempts right before a request. Earlier versions recorded only in the next
request that these thoughts were dropped.
*/
function thrownThoughts(items: readonly Item[], request: number): ReadonlySet<string> {
	const thoughts = new Set<string>();
	for (let at = request - 1, item = items[at]; item !== undefined && isOfAttempt(item); item = items[--at])
		if (item.type === 'reasoning') thoughts.add(item.id);
	return thoughts;
}

function isOfAttempt(item: Item): boolean {
	if (item.type === 'request_end') return item.stop === 'cut' || item.stop === 'error';
	return item.type === 'request' || (item.type === 'reasoning' && item.stop !== undefined);
}

/**
Tells whether two requests followed the same rules. The recorded request may name more beta features, because features
that the user configured are only in a header.
*/
function followSame(recorded: readonly Rewrite[], made: readonly Rewrite[]): boolean {
	const [asked, needed] = [betasOf(recorded), betasOf(made)];
	const hasAll = asked.more !== undefined || needed.where.every(beta => asked.where.includes(beta));
	return hasAll && isDeepStrictEqual(withoutBetas(recorded), withoutBetas(made));
}

function betasOf(rewrites: readonly Rewrite[]): Pick<Rewrite, 'where' | 'more'> {
	return rewrites.find(({rule}) => rule === 'beta_header') ?? {where: []};
}

function withoutBetas(rewrites: readonly Rewrite[]): unknown {
	return rewrites.flatMap(({rule, where, more}) => (rule === 'beta_header' ? [] : [[rule, where, more]]));
}

/**
Returns the index at which a request's answer starts. In histories of version 0.1.0, the request item comes after its
answer, whose parts were committed during the stream. A damaged line beside the parts counts as a part of the answer. If
it was something else, the request cannot be checked.
*/
function wholeAnswerStart(items: readonly Item[], request: number): number {
	let start = request;
	for (let item = items[start - 1]; item !== undefined; item = items[--start - 1])
		if (!isAnswer(item) && !isDamageNotice(item)) break;
	return start;
}

function isAnswer(item: Item): boolean {
	return (
		item.type === 'reasoning' || item.type === 'tool_call' || (item.type === 'message' && item.role === 'assistant')
	);
}

/** The result for one rebuilt request. */
type Made =
	| {readonly became: 'same' | 'redacted' | 'unsent' | 'unchecked'}
	| {readonly became: 'different'; readonly hash: string}
	| {readonly became: 'unmade'; readonly sentence: string};

/** The images and documents of a history, as they existed when each request was sent. */
type PastMedia = {
	/** Prepares for the next request. */
	begin(request: RequestItem): void;
	readonly read: ReadMedia;
	/**
	Returns the result. If the bodies differ, and a file that existed at the time of the request is missing now, it
	returns `unmade` instead.
	*/
	explained(made: Made): Made;
};

/**
Creates a reader of images and documents for past requests. A file that was missing when a request was sent counts as
missing again, even if it exists now. Each request records only the newly missing files, so the missing files of earlier
requests are remembered.
*/
export function createPastMedia(items: readonly Item[], readMedia: ReadMedia | undefined): PastMedia {
	const withheld = new Set<string>();
	let isMissing = false;
	let hashes: ReadonlyMap<string, string> | undefined;
	return {
		begin({rewrites = []}) {
			isMissing = false;
			const ids = rewrites.find(({rule}) => rule === 'missing_media')?.where;
			if (ids === undefined) withheld.clear();
			else hashes ??= hashesById(items);
			for (const id of ids ?? []) withheld.add(hashes?.get(id) ?? '');
		},
		async read(media: Media) {
			if (withheld.has(media.sha256)) return undefined;
			const data = await readMedia?.(media);
			isMissing ||= data === undefined;
			return data;
		},
		explained: made =>
			made.became === 'different' && isMissing ? {became: 'unmade', sentence: blobTexts.unverifiable} : made,
	};
}

function hashesById(items: readonly Item[]): ReadonlyMap<string, string> {
	return new Map(
		items.flatMap(item => {
			const media = mediaIn(item);
			return media === undefined ? [] : [[item.id, media.sha256]];
		}),
	);
}
