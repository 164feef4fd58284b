import {createHash} from 'node:crypto';
import {isWhole, lastSetup, requestBody, type Item, type RequestItem} from '../../worker/index.ts';
import {context} from '../history/reader.ts';
import {isDamageNotice} from './notices.ts';
import {verifyTexts} from './texts.ts';

/** The result of making a history's requests again. It counts each request once. */
export type RequestsVerdict = {
	/** The number of bodies that equal the sent ones. */
	readonly same: number;
	readonly different: number;
	/** The number of requests without a stored hash, because nothing was sent. */
	readonly unsent: number;
	/** The number of requests that cannot be checked, because something before them is damaged. */
	readonly unchecked: number;
	/** The number of requests that cannot be made again. `why` is the reason of the first. */
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

/**
Makes each request of a history again from the items before it, and compares the hash of its body with the stored one.
It needs no key and no network. The notice of a damaged line was not part of what was sent before the damage, but of
what was sent after it. So a request that differs after a damaged line cannot be checked.
*/
export async function verifyRequests(items: readonly Item[]): Promise<RequestsVerdict> {
	const counts = {same: 0, different: 0, unchecked: 0, unsent: 0, unmade: 0};
	let why: string | undefined;
	let first: RequestsVerdict['first'];
	let n = 0;
	const firstDamage = items.findIndex(isDamageNotice);
	for (const [index, item] of items.entries()) {
		if (item.type !== 'request') continue;
		n++;
		const isDamaged = firstDamage !== -1 && firstDamage < index;
		const before = items.slice(0, isWhole(item) ? wholeAnswerStart(items, index) : index);
		const made = await madeAgain(before, item, isDamaged);
		counts[made.became]++;
		if (made.became === 'unmade') why ??= made.sentence;
		if (made.became === 'different')
			first ??= {n, id: item.id, at: item.at, made: made.hash, sent: item.requestHash};
	}
	return {...counts, ...(why !== undefined && {why}), ...(first && {first})};
}

type Made =
	| {readonly became: 'same' | 'unsent' | 'unchecked'}
	| {readonly became: 'different'; readonly hash: string}
	| {readonly became: 'unmade'; readonly sentence: string};

async function madeAgain(
	before: readonly Item[],
	{model, requestHash}: RequestItem,
	isDamaged: boolean,
): Promise<Made> {
	if (requestHash === '') return {became: 'unsent'};
	if (lastSetup(before) === undefined)
		return isDamaged ? {became: 'unchecked'} : {became: 'unmade', sentence: verifyTexts.noSetup};
	const made = await requestBody(model, context(before));
	if (!made.ok) return {became: 'unmade', sentence: made.sentence};
	const hash = createHash('sha256').update(made.body).digest('hex');
	if (hash === requestHash) return {became: 'same'};
	return isDamaged ? {became: 'unchecked'} : {became: 'different', hash};
}

/**
Returns the start of a request's answer. A request item of 0.1.0 comes after the answer, whose parts are committed
during the stream. A damaged line beside the parts counts as one of them: if it was something else, the request cannot
be checked.
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
