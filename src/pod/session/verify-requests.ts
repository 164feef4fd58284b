import {createHash} from 'node:crypto';
import {lastSetup, requestBody, type Item, type RequestItem} from '../../worker/index.ts';
import {context} from '../history/reader.ts';

/** What became of a history's requests when they were made again. Each is counted once. */
export type RequestsVerdict = {
	/** The body that history gives is the one that was sent. */
	readonly same: number;
	readonly different: number;
	/** No hash was kept: nothing had been sent. */
	readonly unsent: number;
	/** They cannot be made again; why the first of them cannot. */
	readonly unmade: number;
	readonly why?: string;
	/** The first that differs, counted from 1 among all requests. `made` and `sent` are sha256 in hex. */
	readonly first?: {
		readonly n: number;
		readonly id: string;
		readonly at: string;
		readonly made: string;
		readonly sent: string;
	};
};

/**
Makes each request of a history again from the items before it, and compares its body's hash with the one that was kept.
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
	if (lastSetup(before) === undefined) return {became: 'unmade', sentence: 'There is no setup before it.'};
	const made = await requestBody(model, context(before));
	if (!made.ok) return {became: 'unmade', sentence: made.sentence};
	const hash = createHash('sha256').update(made.body).digest('hex');
	return hash === requestHash ? {became: 'same'} : {became: 'different', hash};
}

/** A request's item comes behind its answer, whose parts were committed while it streamed. */
function answerStart(items: readonly Item[], request: number): number {
	let start = request;
	while (start > 0 && isAnswer(items[start - 1]!)) start--;
	return start;
}

function isAnswer(item: Item): boolean {
	return (
		item.type === 'reasoning' || item.type === 'tool_call' || (item.type === 'message' && item.role === 'assistant')
	);
}
