import {
	lastSetup,
	type Draft,
	type Item,
	answerStart,
	isWhole,
	type Attribution,
	type ReadMedia,
	type RequestItem,
	HistoryError,
	stamp,
	type Clock,
	type History,
} from '../../../worker/index.ts';
import {projectedItems, attributeRequest, unansweredCalls} from '../../ground/history/reader.ts';
import type {Ledger, PodClient, UnfinishedCompactions, Refusal} from '../../protocol.ts';
import {maxAsked} from '../../references/submission/stale.ts';
import {ledgerOf, shownFiles, withStates} from './ledger.ts';
import {estimateTokens} from '../../ground/text/tokens.ts';
import type {CountsSetting} from '../../ground/counts/server-counts.ts';
import {calibratedRatio} from '../../ground/counts/usage.ts';
import {createHash} from 'node:crypto';
import type {Answer} from '../../protocol/queries.ts';
import type {RequestView} from '../../protocol/ledger.ts';
import {requestTexts, contextTexts, type ContextOp} from './texts.ts';
import {en} from '../../../language/index.ts';

type LedgerSource = {
	readonly items: () => readonly Item[];
	/** Returns the setup of the next request. Called only while history has no setup. */
	readonly setup?: () => Promise<Draft<'setup'>>;
	readonly stale: PodClient['stale'];
	/** Returns the context window of the next request's model, in tokens. */
	readonly window?: () => number | undefined;
	/** Returns the user's setting for the meaning of the server's token counts. */
	readonly counts?: () => CountsSetting | undefined;
	/** Returns the compactions that did not finish, or `undefined` if there are none. */
	readonly unfinished?: () => UnfinishedCompactions | undefined;
};

/**
Creates the query for the current ledger, with the state of each file in it. Like the status line, it scales its
estimates by the provider's last count.
*/
export function createLedger({items, setup, stale, window, counts, unfinished}: LedgerSource): () => Promise<Ledger> {
	return async () => {
		const draft = lastSetup(items()) === undefined ? await setup?.() : undefined;
		const ratio = calibratedRatio(items(), projectedItems, counts?.());
		const ledger = ledgerOf(items(), {
			estimate: text => Math.round(ratio * estimateTokens(text)),
			setup: draft,
		});
		const ids = shownFiles(ledger);
		const asked = Array.from({length: Math.ceil(ids.length / maxAsked)}, (_, n) =>
			ids.slice(n * maxAsked, (n + 1) * maxAsked),
		);
		const states = [];
		for (const some of asked) states.push(...(await stale(some)));
		const size = window?.();
		const lost = unfinished?.();
		return {
			...withStates(ledger, states),
			...(size !== undefined && {window: size}),
			...(lost !== undefined && {unfinished: lost}),
		};
	};
}

/**
Creates the query for the exact body of a request. The query builds the body again from the items before the request.
`wanted` is the beginning of the request's id, or empty for the last request.
*/
export function createRequestView(
	items: () => readonly Item[],
	readMedia?: ReadMedia,
): (wanted: string) => Promise<Answer<'request'>> {
	return async wanted => {
		const all = items();
		const index = all.findLastIndex(item => item.type === 'request' && item.id.startsWith(wanted));
		const request = all[index];
		if (request?.type !== 'request') return {ok: false, sentence: requestTexts.none(wanted)};
		const before = all.slice(0, isWhole(request) ? answerStart(all, index) : index);
		const made = await attributeRequest(before, {readMedia});
		if (!made.ok) return {ok: false, sentence: made.sentence ?? requestTexts.noSetup};
		return {ok: true, request: viewOf(request, made.attribution)};
	};
}

/**
Commits an item that drops, pins, prunes or restores items (docs/context.md). The function does not edit history. If the
item drops a call that has no result yet, the same append adds a result, so that the call never runs. If the operation
does not apply to one of the ids, the function refuses all of them.
*/
export async function changeContext(
	history: History,
	clock: Clock,
	{op, ids}: {readonly op: ContextOp; readonly ids: readonly string[]},
): Promise<ContextChanged> {
	const wanted = [...new Set(ids)];
	if (wanted.length === 0) return {ok: false, code: 'empty', sentence: contextTexts.noItems};
	const found = new Map(history.items.map(item => [item.id, item.type]));
	const wrong = wanted.find(id => !allowedTypes[op].has(found.get(id) ?? 'none'));
	if (wrong !== undefined)
		return {ok: false, code: 'no_such_item', sentence: sentenceOf(op, wrong, found.get(wrong))};
	const closed =
		op === 'drop'
			? unansweredCalls(history.items)
					.filter(({id}) => wanted.includes(id))
					.map(({callId}) =>
						stamp(clock, {
							type: 'tool_result',
							callId,
							summary: droppedCall,
							content: droppedCall,
							isError: false,
							ms: 0,
						}),
					)
			: [];
	try {
		await history.append([...closed, stamp(clock, {type: 'context', op, ids: wanted})]);
		return {ok: true};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, code: 'io', sentence: error.message};
		throw error;
	}
}

function viewOf({id, model, requestHash}: RequestItem, {body, pieces, headers}: Attribution): RequestView {
	const hash = createHash('sha256').update(body).digest('hex');
	return {
		id,
		model,
		bytes: Buffer.byteLength(body),
		...(requestHash !== '' && {isSame: hash === requestHash}),
		...bounded(pieces, body.length),
		headers: headers.map(header => ({...header})),
	};
}

type Bounded = Pick<RequestView, 'pieces' | 'hidden' | 'headPieces'>;

/**
Leaves out the middle of a long body. As rows on the screen, a body of many megabytes would take gigabytes of memory.
*/
function bounded(pieces: Attribution['pieces'], length: number): Bounded {
	if (length <= maxHead + maxTail)
		return {pieces: pieces.map(piece => ({...piece})), hidden: 0, headPieces: pieces.length};
	const head = between(pieces, 0, maxHead);
	const tail = between(pieces, length - maxTail, length);
	return {pieces: [...head, ...tail], hidden: length - maxHead - maxTail, headPieces: head.length};
}

const maxHead = 256 * 1024;

const maxTail = 64 * 1024;

/** Returns the pieces between two indexes in the body. The first and the last piece may be cut. */
function between(pieces: Attribution['pieces'], from: number, to: number): Attribution['pieces'] {
	let at = 0;
	return pieces.flatMap(({text, source}) => {
		const start = at;
		at += text.length;
		const shown = text.slice(Math.max(0, from - start), Math.max(0, to - start));
		return shown === '' ? [] : [{text: shown, source}];
	});
}

type ContextChanged = {readonly ok: true} | {readonly ok: false; readonly code: Refusal; readonly sentence: string};

const droppedCall = en`[Dropped from the context before it ran]`;

const sent: ReadonlySet<string> = new Set<Item['type']>(['message', 'tool_call', 'tool_result']);

/**
The item types that each operation accepts. `restore` can also undo a compaction, a rewind or a change of the context.
*/
const allowedTypes: Readonly<Record<ContextOp, ReadonlySet<string>>> = {
	drop: sent,
	pin: sent,
	prune: new Set(['tool_result']),
	restore: new Set([...sent, 'compaction', 'rewind', 'context']),
};

function sentenceOf(op: ContextOp, id: string, type: Item['type'] | undefined): string {
	if (type === undefined) return contextTexts.noSuchItem(id);
	if (type === 'reasoning') return contextTexts.reasoning;
	return contextTexts.wrongType(op, type);
}
