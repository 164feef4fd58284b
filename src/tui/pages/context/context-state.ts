import type {Ledger, LedgerRow} from '../../../pod/protocol.ts';
import type {FoldState} from '../../transcript/fold/fold-state.ts';
import {listStart, type ListState} from '../list.ts';
import {contextRefusals} from '../texts.ts';

/** The contents of the next request, item by item. */
export type ContextPage = {
	readonly kind: 'context';
	readonly ledger: Ledger;
	readonly list: ListState;
};

export function contextPage(ledger: Ledger): ContextPage {
	return {kind: 'context', ledger, list: listStart};
}

/** The page with a newer ledger. The same item stays chosen while it is there. */
export function withLedger(page: ContextPage, ledger: Ledger): ContextPage {
	const chosen = page.ledger.rows[page.list.at];
	const at = ledger.rows.findIndex(row => isSame(row, chosen));
	return {...page, ledger, list: at === -1 ? page.list : {...page.list, at}};
}

/** What a key does to an item: `pin` unpins a pinned one, `restore` undoes a drop or a pin. */
export type ContextChange = 'drop' | 'pin' | 'restore';

/** What the pod is asked to do to the context, or why there is nothing to do. */
export type ContextPlan =
	| {readonly ok: true; readonly op: ContextChange; readonly ids: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

export function planChange(change: ContextChange, row: LedgerRow, folded: FoldState | undefined): ContextPlan {
	const {id, dropped = false, pinned = false, kind} = row;
	if (change === 'drop' && dropped) return refuse(contextRefusals.dropped);
	const hasNothing = !dropped && !pinned && kind !== 'summary';
	if (change === 'restore' && hasNothing) return refuse(contextRefusals.nothingToRestore);
	if (id === undefined) return refuse(contextRefusals.noItem);
	const op = change === 'pin' && pinned ? 'restore' : change;
	return {ok: true, op, ids: change === 'restore' && dropped ? pairOf(id, folded) : [id]};
}

function refuse(sentence: string): ContextPlan {
	return {ok: false, sentence};
}

/** A call and its result are dropped together, by the id of either: both are named to restore them. */
function pairOf(id: string, folded: FoldState | undefined): readonly string[] {
	const block = folded?.blocks[folded.byItem.get(id) ?? -1];
	return block?.kind === 'tool' ? [block.call, block.result].flatMap(item => item?.id ?? []) : [id];
}

/** The setup has several rows with one id. */
function isSame(row: LedgerRow, other: LedgerRow | undefined): boolean {
	return other !== undefined && row.id === other.id && row.kind === other.kind && row.label === other.label;
}
