import type {Ledger, LedgerRow} from '../../../pod/protocol.ts';
import type {FoldState} from '../../../transcript/fold-state.ts';
import {createField, type Field} from '../field-state.ts';
import {matchesOf} from './filter.ts';
import {listStart, type ListState} from './list.ts';
import {contextRefusals} from './texts.ts';

/** The page that lists the contents of the next request, item by item. */
export type ContextPage = {
	readonly kind: 'context';
	readonly ledger: Ledger;
	readonly list: ListState;
	readonly query: Field;
	/** Whether the largest items are first. Otherwise the items are in the order of the request. */
	readonly isBySize: boolean;
};

/** Sorts the list by size, or in the order of the request again. */
export type ContextAction = {readonly type: 'sort context'};

export function contextPage(ledger: Ledger): ContextPage {
	return {kind: 'context', ledger, list: listStart, query: createField(), isBySize: false};
}

/** Returns the rows of the list that match the query, in the order that you chose. */
export function foundRows({ledger, query, isBySize}: ContextPage): readonly LedgerRow[] {
	const found = matchesOf(ledger.rows, query, ({kind, label, path = ''}) => `${kind} ${label} ${path}`);
	return isBySize ? found.toSorted((one, other) => sizeOf(other) - sizeOf(one)) : found;
}

/** Updates the page with a newer ledger. The highlight stays on the same item while that item exists. */
export function withLedger(page: ContextPage, ledger: Ledger): ContextPage {
	return withHighlight(page, {...page, ledger});
}

/** Sorts the list in the other way. The highlight stays on the same item. */
export function sortedLedger(page: ContextPage): ContextPage {
	return withHighlight(page, {...page, isBySize: !page.isBySize});
}

/** The changes that a key makes to an item. `pin` on a pinned item unpins it. `restore` undoes the other changes. */
export type ContextChange = 'drop' | 'pin' | 'prune' | 'restore';

/** A context operation for the pod, or a sentence that explains why the key does nothing. */
type ContextPlan =
	| {readonly ok: true; readonly op: ContextChange; readonly ids: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

export function planChange(change: ContextChange, row: LedgerRow, folded: FoldState | undefined): ContextPlan {
	const {id, dropped = false, pinned = false, pruned = false, kind} = row;
	if (change === 'drop' && dropped) return refuse(contextRefusals.dropped);
	if (change === 'prune' && kind !== 'result') return refuse(contextRefusals.notPrunable);
	if (change === 'prune' && pruned) return refuse(contextRefusals.pruned);
	const hasNothing = !dropped && !pinned && !pruned && kind !== 'summary';
	if (change === 'restore' && hasNothing) return refuse(contextRefusals.nothingToRestore);
	if (id === undefined) return refuse(contextRefusals.noItem);
	const op = change === 'pin' && pinned ? 'restore' : change;
	return {ok: true, op, ids: change === 'restore' && dropped ? pairOf(id, folded) : [id]};
}

function withHighlight(before: ContextPage, page: ContextPage): ContextPage {
	const chosen = foundRows(before)[before.list.at];
	const at = foundRows(page).findIndex(row => isSame(row, chosen));
	return at === -1 ? page : {...page, list: {...page.list, at}};
}

/** Returns the size of an item in tokens. The size of a dropped item is 0. */
function sizeOf({tokens, dropped}: LedgerRow): number {
	return dropped === true ? -1 : tokens;
}

function refuse(sentence: string): ContextPlan {
	return {ok: false, sentence};
}

/**
Returns the ids of a tool call and its result, or only the id of another item. The pod drops a call and its result
together. Restoring them needs both ids.
*/
function pairOf(id: string, folded: FoldState | undefined): readonly string[] {
	const block = folded?.blocks[folded.byItem.get(id) ?? -1];
	return block?.kind === 'tool' ? [block.call, block.result].flatMap(item => item?.id ?? []) : [id];
}

/** Tells whether two rows are the same. The id is not enough, because the setup has several rows with the same id. */
function isSame(row: LedgerRow, other: LedgerRow | undefined): boolean {
	return other !== undefined && row.id === other.id && row.kind === other.kind && row.label === other.label;
}
