import {isWhole, type FinishedRequest, type Item, type Message, type RequestItem} from '../../../worker/index.ts';
import {createRequestPairing} from '../../../worker/index.ts';
import {createApprovalReader, narrowDetails} from '../../protocol.ts';
import {costOf, type PriceList} from '../../protocol/cost.ts';

/** The kinds of records that come from the items of a history. */
export type RowKind = 'messages' | 'calls' | 'results' | 'requests' | 'costs' | 'files' | 'approvals';

/** A record without the facts about its session. */
type RecordRow = {readonly at: string} & Readonly<Record<string, unknown>>;

/** Makes the records of one history, item by item. */
export type RowMaker = {
	/** The types of the items that `add` needs. */
	readonly types: ReadonlySet<string>;
	readonly add: (item: Item) => readonly RecordRow[];
	/** Returns the records that had waited for an item that never came. */
	readonly end?: () => readonly RecordRow[];
};

/** Returns the prices of a model. */
export type PricesOf = (model: string) => PriceList;

export function createRowMaker(kind: RowKind, prices: PricesOf): RowMaker {
	return makers[kind](prices);
}

const makers: {readonly [Kind in RowKind]: (prices: PricesOf) => RowMaker} = {
	messages: () => itemsOfType('message'),
	calls: () => itemsOfType('tool_call'),
	results: () => itemsOfType('tool_result'),
	requests: requestRows,
	costs: costRows,
	files: () => ({types: new Set(['message', 'tool_result']), add: filesIn}),
	approvals() {
		const reader = createApprovalReader();
		return {types: new Set(['tool_call', 'tool_result']), add: item => reader.add(item)};
	},
};

function itemsOfType(type: Item['type']): RowMaker {
	return {types: new Set([type]), add: item => [item]};
}

/** Joins each request with its end. A request whose answer is lost comes at the end, without these keys. */
function requestRows(): RowMaker {
	const open = new Map<string, RequestItem>();
	return {
		types: new Set(['request', 'request_end']),
		add(item) {
			if (item.type === 'request') {
				if (isWhole(item)) return [item];
				open.set(item.id, item);
			}
			if (item.type !== 'request_end') return [];
			const {id: _, at, request, type, ...end} = item;
			const sent = open.get(request) ?? {id: request, at, type};
			open.delete(request);
			return [{...sent, ...end}];
		},
		end: () => [...open.values()],
	};
}

/**
Returns what each request cost. A compaction of an early version has no conversation of its own and counts as a request.
*/
function costRows(prices: PricesOf): RowMaker {
	const pairing = createRequestPairing();
	const row = (id: string, at: string, request: Omit<FinishedRequest, 'requestHash'>): RecordRow => {
		const {model, usage, stop, startedAt} = request;
		return {id, at, model, startedAt, stop, usage, usd: costOf(request, prices(model))};
	};
	return {
		types: new Set(['request', 'request_end', 'compaction']),
		add(item) {
			const {id, at} = item;
			if (item.type === 'compaction')
				return item.conversation === undefined ? [row(id, at, {...item, ...asRequest(at)})] : [];
			const finished = pairing.add(item);
			if (finished === undefined) return [];
			return [row(item.type === 'request_end' ? item.request : id, at, finished)];
		},
		end: () => [...pairing.open.values()].map(({id, at, model, startedAt}) => ({id, at, model, startedAt})),
	};
}

function asRequest(at: string): Pick<FinishedRequest, 'startedAt' | 'endedAt' | 'stop'> {
	return {startedAt: at, endedAt: at, stop: 'end'};
}

/** Returns the files that a result or a message names. `op` says what happened to the file. */
function filesIn(item: Item): readonly RecordRow[] {
	const {id, at} = item;
	if (item.type === 'message') return fileOf(item);
	if (item.type !== 'tool_result' || item.details === undefined) return [];
	const {callId, details} = item;
	if (details['read'] === undefined && details['changed'] === undefined) return [];
	const {read, changed = []} = narrowDetails(details);
	return [
		...(read === undefined ? [] : [{id, at, callId, op: 'read', ...read}]),
		...changed.map(file => ({id, at, callId, op: 'change', ...file})),
	];
}

/** `op` is the kind of the origin, such as `file`, `image` or `instructions`. For a notice, it is the subject. */
function fileOf({id, at, origin}: Message): readonly RecordRow[] {
	if (typeof origin?.['path'] !== 'string') return [];
	const {kind, about, sent: _, ...facts} = origin;
	return [{id, at, op: kind === 'notice' && typeof about === 'string' ? about : kind, ...facts}];
}
