import type {Item, ItemOf, RequestEnd, RequestItem} from './item.ts';

/** How an answer ended, and how many tokens it used. */
export type AnswerEnd = Pick<RequestEnd, 'usage' | 'endedAt' | 'stop' | 'explanation'>;

/** A request whose answer has ended. The model is an empty text if the request itself is not in the history. */
export type FinishedRequest = Pick<RequestItem, 'model' | 'requestHash' | 'startedAt'> & AnswerEnd;

/** A request and the end of its answer. If there is no end, the answer is lost or has not ended yet. */
export type SentRequest = {readonly request: RequestItem; readonly end?: AnswerEnd};

/**
Returns how an answer ended, if this item ends an answer. A request of 0.1.0 follows its answer and also says how the
answer ended.
*/
export function answerEnd(item: Item | undefined): AnswerEnd | undefined {
	if (item?.type === 'request_end') return item;
	return item?.type === 'request' && isWhole(item) ? item : undefined;
}

/** Tells whether this request of 0.1.0 includes the end of its answer. */
export function isWhole(request: RequestItem): request is RequestItem & AnswerEnd {
	return request.usage !== undefined && request.endedAt !== undefined && request.stop !== undefined;
}

/** Tells whether this item separates answers: no answer continues after it. */
export function separatesAnswers({type}: Item): boolean {
	return type === 'request' || type === 'request_end' || type === 'run_end';
}

/** Returns the index of the first item of the answer that the item at `end` ends. */
export function answerStart(items: readonly Item[], end: number): number {
	const last = items[end];
	const request = last?.type === 'request_end' ? indexOfRequest(items, last, end) : -1;
	if (request !== -1) return request + 1;
	for (let at = end - 1; at >= 0; at--) {
		const item = items[at];
		if (item !== undefined && !isAnswer(item)) return at + 1;
	}
	return 0;
}

/** Returns the requests in their order, each with the end of its answer. */
export function requestsOf(items: readonly Item[]): readonly SentRequest[] {
	const ends = new Map(items.flatMap(item => (item.type === 'request_end' ? [[item.request, item]] : [])));
	return items.flatMap((item): readonly SentRequest[] => {
		if (item.type !== 'request') return [];
		const end = answerEnd(item) ?? ends.get(item.id);
		return [{request: item, end}];
	});
}

/** Returns the requests whose answers ended, in the order in which the answers ended. */
export function finishedRequests(items: readonly Item[]): readonly FinishedRequest[] {
	const pairing = createRequestPairing();
	return items.flatMap(item => pairing.add(item) ?? []);
}

/** Pairs requests with their ends, item by item. */
type RequestPairing = {
	/** Returns the request whose answer ends with this item, or `undefined` if the item ends no answer. */
	add(item: Item): FinishedRequest | undefined;
	/** The requests that have no end yet, by their ids. */
	readonly open: ReadonlyMap<string, RequestItem>;
};

export function createRequestPairing(): RequestPairing {
	const open = new Map<string, RequestItem>();
	return {
		open,
		add(item) {
			if (item.type === 'request') {
				if (isWhole(item)) return item;
				open.set(item.id, item);
			}
			if (item.type !== 'request_end') return undefined;
			const {model = '', requestHash = '', startedAt = item.endedAt} = open.get(item.request) ?? {};
			open.delete(item.request);
			return {...item, model, requestHash, startedAt};
		},
	};
}

function indexOfRequest(items: readonly Item[], {request}: ItemOf<'request_end'>, end: number): number {
	for (let at = end - 1; at >= 0; at--) if (items[at]?.id === request) return at;
	return -1;
}

function isAnswer(item: Item): boolean {
	return (
		item.type === 'reasoning' || item.type === 'tool_call' || (item.type === 'message' && item.role === 'assistant')
	);
}
