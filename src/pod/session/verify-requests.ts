import {createHash} from 'node:crypto';
import {lastSetup, requestBody, type Item, type RequestItem} from '../../worker/index.ts';
import {context} from '../history/reader.ts';
import {verifyTexts} from './texts.ts';

/** The result of making a history's requests again. Each request is counted once. */
export type RequestsVerdict = {
	/** The body from history is the one that was sent. */
	readonly same: number;
	readonly different: number;
	/** No hash was stored: nothing was sent. */
	readonly unsent: number;
	/** They cannot be made again. `why`: the reason of the first. */
	readonly unmade: number;
	readonly why?: string;
	/** The first that differs, counted from 1 among all requests. `made` and `sent` are sha256 hashes in hex. */
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
Needs no key and no network.
*/
export async function verifyRequests(items: readonly Item[]): Promise<RequestsVerdict> {
	const counts = {same: 0, different: 0, unsent: 0, unmade: 0};
	let why: string | undefined;
	let first: RequestsVerdict['first'];
	let n = 0;
	for (const [index, item] of items.entries()) {
		if (item.type !== 'request') continue;
		n++;
		const made = await madeAgain(items.slice(0, answerStart(items, index)), item);
		counts[made.became]++;
		if (made.became === 'unmade') why ??= made.sentence;
		if (made.became === 'different')
			first ??= {n, id: item.id, at: item.at, made: made.hash, sent: item.requestHash};
	}
	return {...counts, ...(why !== undefined && {why}), ...(first && {first})};
}

type Made =
	| {readonly became: 'same' | 'unsent'}
	| {readonly became: 'different'; readonly hash: string}
	| {readonly became: 'unmade'; readonly sentence: string};

async function madeAgain(before: readonly Item[], {model, requestHash}: RequestItem): Promise<Made> {
	if (requestHash === '') return {became: 'unsent'};
	if (lastSetup(before) === undefined) return {became: 'unmade', sentence: verifyTexts.noSetup};
	const made = await requestBody(model, context(before));
	if (!made.ok) return {became: 'unmade', sentence: made.sentence};
	const hash = createHash('sha256').update(made.body).digest('hex');
	return hash === requestHash ? {became: 'same'} : {became: 'different', hash};
}

/** A request's item comes after its answer, whose parts are committed while it streams. */
function answerStart(items: readonly Item[], request: number): number {
	return items.slice(0, request).findLastIndex(item => !isAnswer(item)) + 1;
}

function isAnswer(item: Item): boolean {
	return (
		item.type === 'reasoning' || item.type === 'tool_call' || (item.type === 'message' && item.role === 'assistant')
	);
}
