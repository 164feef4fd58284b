import type {Item, ItemOf, Message, Origin, PriceList} from '../../../pod/protocol.ts';
import type {Block, RunTotals} from './block.ts';
import {required} from '../../text/checks/required.ts';

/** What the fold has made, with what it must know to go on. Grows in place. */
export type FoldState = {
	readonly blocks: Block[];
	/** Block id -> index. Blocks never move. */
	readonly indexOf: Map<string, number>;
	/** Item id -> index of its block. */
	readonly byItem: Map<string, number>;
	/**
	Maps a call id to the blocks of the last answer that uses it, in the order of the calls, and counts those with
	results.
	*/
	readonly calls: Map<string, {readonly blocks: number[]; answered: number}>;
	readonly invocations: Map<string, number>;
	/**
	Every item in its order. `block`: how many blocks there were before it, so the place of the one that it opened, if
	it did.
	*/
	readonly order: Array<{readonly id: string; readonly block: number}>;
	/** The items that say what is in the context, and their places in the order. */
	readonly acts: Array<{readonly at: number; readonly item: ItemOf<'rewind' | 'context'>}>;
	/** The blocks that are marked as rewound. */
	rewound: ReadonlySet<number>;
	/**
	What the run under way used, and the block of its last request. `edge`: the block that ended the last answer, run,
	or what was gone back from.
	*/
	run: {
		readonly totals: RunTotals;
		readonly usage: number | undefined;
		readonly open: boolean;
		readonly edge: number;
	};
	/** What models cost; absent: nothing is known of that. */
	readonly prices: PriceList | undefined;
};

/** What undoes folds, to be run from the end. */
export type Journal = Array<() => void>;

export function emptyFold(prices?: PriceList): FoldState {
	return {
		blocks: [],
		indexOf: new Map(),
		byItem: new Map(),
		calls: new Map(),
		invocations: new Map(),
		order: [],
		acts: [],
		rewound: new Set(),
		run: noRun,
		prices,
	};
}

/**
An item on its way into what is folded: `open` says that it is still streaming; with a journal every change notes its
undo.
*/
export type Step = {readonly state: FoldState; readonly open: boolean; readonly journal: Journal | undefined};

export const noTotals: RunTotals = {model: '', requests: 0, ms: 0};
export const noRun: FoldState['run'] = {totals: noTotals, usage: undefined, open: false, edge: -1};

/** A message about the system that stands alone. */
export function foldPart(step: Step, item: Message, origin: Origin | undefined): void {
	push(step, item, id => ({
		kind: 'system',
		id,
		open: step.open,
		parts: [{item, ...(origin === undefined ? {} : {origin})}],
	}));
}

/** One row about the session. */
export function foldNotice(
	step: Step,
	item: Message | ItemOf<'setup' | 'rewind' | 'context'>,
	origin?: Origin,
	names: readonly string[] = [],
): void {
	push(step, item, id => ({
		kind: 'notice',
		id,
		open: step.open,
		item,
		...(origin === undefined ? {} : {origin}),
		...(names.length > 0 && {names}),
	}));
}

/** What the run under way used so far, or that there is none. */
export function setRun(step: Step, run: FoldState['run']): void {
	const before = step.state.run;
	step.state.run = run;
	step.journal?.push(() => {
		step.state.run = before;
	});
}

/** Appends a block under the item's id, made unique where a damaged history has it twice. */
export function push({state, journal}: Step, item: Item, make: (id: string) => Block): number {
	const index = state.blocks.length;
	let id = item.id;
	for (let copy = 2; state.indexOf.has(id); copy++) id = `${item.id}#${copy}`;
	state.blocks.push(make(id));
	state.indexOf.set(id, index);
	const before = state.byItem.get(item.id);
	state.byItem.set(item.id, index);
	journal?.push(() => {
		state.blocks.pop();
		state.indexOf.delete(id);
		restore(state.byItem, item.id, before);
	});
	return index;
}

/** Puts another block in the place of one, for an item that went into it. */
export function update({state, journal}: Step, index: number, item: Item, block: Block): void {
	const old = required(state.blocks[index], 'block');
	const before = state.byItem.get(item.id);
	state.blocks[index] = block;
	state.byItem.set(item.id, index);
	journal?.push(() => {
		state.blocks[index] = old;
		restore(state.byItem, item.id, before);
	});
}

/** The block that an item went into last. */
export function blockOf({byItem, blocks}: FoldState, id: string): Block | undefined {
	return blocks[byItem.get(id) ?? -1];
}

function restore(map: Map<string, number>, key: string, value: number | undefined): void {
	if (value === undefined) map.delete(key);
	else map.set(key, value);
}
