import type {Item, ItemOf, Message, Origin, PriceList, Task} from '../pod/protocol.ts';
import type {Block, RunTotals} from './block.ts';
import {required} from '../text/lines.ts';

/** The blocks of the fold, and the data that the fold needs for the next item. This state is changed in place. */
export type FoldState = {
	readonly blocks: Block[];
	/** Maps block ids to indexes in `blocks`. The index of a block never changes. */
	readonly indexOf: Map<string, number>;
	/** Maps item ids to the indexes of their blocks. */
	readonly byItem: Map<string, number>;
	/**
	Maps a call id to the blocks of the last answer that uses the id, in the order of the calls. `answered` is the
	number of these blocks that have results.
	*/
	readonly calls: Map<string, {readonly blocks: number[]; answered: number}>;
	readonly invocations: Map<string, number>;
	/** Maps the id of a child session to the index of the block that contains its last start. */
	readonly children: Map<string, number>;
	/** The blocks whose results contain a list of tasks, oldest first. `block` is the index of the block. */
	readonly taskLists: Array<{readonly block: number; readonly tasks: readonly Task[]}>;
	/**
	All items in their order. `block` is the number of blocks before the item, so it is the index of the block that the
	item may have opened.
	*/
	readonly order: Array<{readonly id: string; readonly block: number}>;
	/** Maps item ids to their last indexes in `order`. */
	readonly places: Map<string, number>;
	/** The user's messages, each with its index in `order`, oldest first. */
	readonly asked: Array<{readonly at: number; readonly id: string}>;
	/**
	The items that change the context, each with its index in `order`. `from`: the index of the first item that a rewind
	removes, or 0 if it removes none.
	*/
	readonly acts: Array<{readonly at: number; readonly item: ItemOf<'rewind' | 'context'>; readonly from: number}>;
	/** The indexes of the blocks that a rewind removed. */
	rewound: ReadonlySet<number>;
	/**
	The usage of the current run. `usage` is the index of the footer of the last model call. `sent` is the index of the
	block of a request whose answer has not ended. `edge` is the index of the last block that began or ended an answer,
	ended a run, or shows a rewind.
	*/
	run: {
		readonly totals: RunTotals;
		readonly usage: number | undefined;
		readonly sent: number | undefined;
		readonly open: boolean;
		readonly edge: number;
	};
	/** The prices of models. Absent if they are unknown. */
	readonly prices: PriceList | undefined;
};

/** The functions that undo changes of the fold. They are called in reverse order. */
export type Journal = Array<() => void>;

export function emptyFold(prices?: PriceList): FoldState {
	return {
		blocks: [],
		indexOf: new Map(),
		byItem: new Map(),
		calls: new Map(),
		invocations: new Map(),
		children: new Map(),
		taskLists: [],
		order: [],
		places: new Map(),
		asked: [],
		acts: [],
		rewound: new Set(),
		run: noRun,
		prices,
	};
}

/**
The fold of a single item. `open`: whether the item is still being streamed. If there is a journal, each change of the
state adds a function to the journal that undoes the change.
*/
export type Step = {readonly state: FoldState; readonly open: boolean; readonly journal: Journal | undefined};

export const noTotals: RunTotals = {model: '', requests: 0, ms: 0};
export const noRun: FoldState['run'] = {totals: noTotals, usage: undefined, sent: undefined, open: false, edge: -1};

/** Folds a single system message into a block. */
export function foldPart(step: Step, item: Message, origin: Origin | undefined): void {
	push(step, item, id => ({
		kind: 'system',
		id,
		open: step.open,
		parts: [{item, ...(origin === undefined ? {} : {origin})}],
	}));
}

/** Folds an item into a one-row notice. */
export function foldNotice(
	step: Step,
	item: Message | ItemOf<'setup' | 'rewind' | 'context' | 'title' | 'mode' | 'redaction'>,
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

/** Sets the usage of the current run. */
export function setRun(step: Step, run: FoldState['run']): void {
	const before = step.state.run;
	step.state.run = run;
	step.journal?.push(() => {
		step.state.run = before;
	});
}

/** Appends a block with the item's id. The id gets a suffix if it is repeated in a damaged history. */
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

/** Replaces a block with a version that includes one more item. */
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

/** Returns the block that contains an item. */
export function blockOf({byItem, blocks}: FoldState, id: string): Block | undefined {
	return blocks[byItem.get(id) ?? -1];
}

export function restore(map: Map<string, number>, key: string, value: number | undefined): void {
	if (value === undefined) map.delete(key);
	else map.set(key, value);
}
