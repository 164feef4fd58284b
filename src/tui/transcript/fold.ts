import {addCost, costOf, narrowOrigin, noCost, type Item, type ItemOf, type ItemType, type Message, type Origin, type PriceList, type RequestItem} from '../../pod/protocol.ts';
import {sanitizeLine} from '../screen/sanitize.ts';
import type {Block, BlockOf, RunTotals} from './block.ts';
import {nameOfItem, nameOfRestored} from './named.ts';

/** What the fold has made, with what it must know to go on. Grows in place. */
export type Folded = {
	readonly blocks: Block[];
	/** Block id -> index. Blocks never move. */
	readonly indexOf: Map<string, number>;
	/** Item id -> index of its block. */
	readonly byItem: Map<string, number>;
	/** Call id -> the blocks of the last answer that called by it, in the order of the calls, and how many of them have results. */
	readonly calls: Map<string, {readonly blocks: number[]; answered: number}>;
	readonly invocations: Map<string, number>;
	/** Every item in its order. */
	readonly order: Array<{readonly id: string}>;
	/** What the run under way used, and the block of its last request. `edge`: the block that ended the last answer, run, or what was gone back from. */
	run: {readonly totals: RunTotals; readonly foot: number | undefined; readonly open: boolean; readonly edge: number};
	/** What models cost; absent: nothing is known of that. */
	readonly prices: PriceList | undefined;
};

/** What undoes folds, to be run from the end. */
export type Journal = Array<() => void>;

export function emptyFold(prices?: PriceList): Folded {
	return {blocks: [], indexOf: new Map(), byItem: new Map(), calls: new Map(), invocations: new Map(), order: [], run: noRun, prices};
}

/**
The one fold (L2): adds an item to the blocks. Total: any item in any order becomes visible somewhere.
`open` says that the item is still streaming. With a journal the fold can be undone: a provisional item.
*/
export function fold(state: Folded, item: Item, open = false, journal?: Journal): void {
	const step = {state, open, journal};
	list(step, item);
	const add = (folders as {readonly [type: string]: ((step: Step, item: never) => void) | undefined})[item.type];
	if (add === undefined) foldUnknown(step, item);
	else add(step, item as never);
}

/** Undoes what was folded with this journal, and empties it. */
export function rollBack(journal: Journal): void {
	for (let undo = journal.pop(); undo !== undefined; undo = journal.pop()) undo();
}

/** Puts a newer version of an item in the place of the one with its id, as if it had been folded so. False when the fold has none. */
export function replace(state: Folded, item: Item): boolean {
	const index = state.byItem.get(item.id);
	const block = index === undefined ? undefined : state.blocks[index];
	if (index === undefined || block === undefined) return false;
	const next = withItem(block, item);
	if (next === undefined) return false;
	state.blocks[index] = next;
	return true;
}

type Step = {readonly state: Folded; readonly open: boolean; readonly journal: Journal | undefined};

const noTotals: RunTotals = {model: '', requests: 0, ms: 0};
const noRun: Folded['run'] = {totals: noTotals, foot: undefined, open: false, edge: -1};

const folders: {readonly [Type in ItemType]: (step: Step, item: ItemOf<Type>) => void} = {
	message: foldMessage,
	reasoning(step, item) {
		startRun(step);
		push(step, item, id => ({kind: 'thinking', id, open: step.open, item}));
	},
	tool_call(step, item) {
		startRun(step);
		const index = push(step, item, id => ({kind: 'tool', id, open: step.open, call: item}));
		const {calls, run: {edge}} = step.state;
		const known = calls.get(item.callId);
		// Whatever an earlier answer was left without: its id means another call from now on, as small servers give them.
		const goesOn = known !== undefined && known.blocks.at(-1)! > edge;
		if (goesOn) known.blocks.push(index);
		else calls.set(item.callId, {blocks: [index], answered: 0});
		step.journal?.push(() => {
			if (goesOn) known.blocks.pop();
			else if (known === undefined) calls.delete(item.callId);
			else calls.set(item.callId, known);
		});
	},
	tool_result(step, item) {
		const calls = step.state.calls.get(item.callId);
		const index = calls?.blocks[calls.answered];
		if (calls === undefined || index === undefined) {
			push(step, item, id => ({kind: 'tool', id, open: step.open, result: item}));
			return;
		}
		calls.answered++;
		step.journal?.push(() => calls.answered--);
		const block = step.state.blocks[index] as BlockOf<'tool'>;
		update(step, index, item, {...block, open: block.open || step.open, result: item});
	},
	setup: foldNotice,
	/** What it takes away is no run that is still to end. */
	rewind(step, item) {
		foldNotice(step, item, undefined, rewoundNames(step.state, item));
		setRun(step, {...noRun, edge: step.state.blocks.length - 1});
	},
	context(step, item) {
		foldNotice(step, item, undefined, namesOf(step.state, item.ids, item.op === 'restore' ? nameOfRestored : nameOfItem));
	},
	compaction(step, item) {
		const [from] = namesOf(step.state, [item.firstKept]);
		const kept = namesOf(step.state, item.keptIds);
		push(step, item, id => ({kind: 'compaction', id, open: step.open, item, read: [], kept, from: from!}));
	},
	request(step, item) {
		const {prices} = step.state;
		const totals = addRequest(step.state.run.totals, item, prices);
		const foot = push(step, item, id => ({kind: 'foot', id, open: step.open, item, own: addRequest(noTotals, item, prices), run: totals}));
		setRun(step, {totals, foot, open: true, edge: foot});
	},
	run_end(step, item) {
		const {totals, foot} = step.state.run;
		const block = foot === undefined ? undefined : (step.state.blocks[foot] as BlockOf<'foot'>);
		const closes = foot === step.state.blocks.length - 1 || (item.outcome === 'finished' && block?.item?.stop === 'end');
		if (foot !== undefined && block !== undefined && closes) update(step, foot, item, {...block, end: item});
		else push(step, item, id => ({kind: 'foot', id, open: step.open, end: item, run: totals}));
		setRun(step, {...noRun, edge: step.state.blocks.length - 1});
	},
};

function foldMessage(step: Step, item: Message): void {
	const origin = narrowOrigin(item.origin);
	if (item.role === 'user') push(step, item, id => ({kind: 'user', id, open: step.open, item, ...(origin === undefined ? {} : {origin})}));
	else if (item.role === 'assistant') push(step, item, id => ({kind: 'assistant', id, open: step.open, item}));
	else (origin === undefined ? foldPart : foldOrigin[origin.kind])(step, item, origin);
	if (item.role !== 'system') startRun(step);
}

const foldOrigin: {readonly [Kind in Origin['kind']]: (step: Step, item: Message, origin: Origin | undefined) => void} = {
	submit: foldPart,
	file: foldPart,
	dir: foldPart,
	shell: foldPart,
	auto_read: foldAutoRead,
	workflow: foldInvocation,
	knowledge: foldInvocation,
	interrupt: foldNotice,
	instructions: foldNotice,
	notice: foldNotice,
};

/** Items that another names and that are called by their names. */
export const mostNamed = 50;

function namesOf(state: Folded, ids: readonly string[], nameOf = nameOfItem): readonly string[] {
	return ids.slice(0, mostNamed).map(id => nameOf(blockOf(state, id), id) ?? sanitizeLine(id));
}

/** Called for any message that is about the system and stands alone. */
function foldPart(step: Step, item: Message, origin: Origin | undefined): void {
	push(step, item, id => ({kind: 'system', id, open: step.open, parts: [{item, ...(origin === undefined ? {} : {origin})}]}));
}

/** The items of one invocation are one block, whatever order they come in and whatever lies between. */
function foldInvocation(step: Step, item: Message, origin: Origin | undefined): void {
	if (origin === undefined || !('invocation' in origin)) {
		foldPart(step, item, origin);
		return;
	}
	const {invocations, blocks} = step.state;
	const index = invocations.get(origin.invocation);
	if (index !== undefined) {
		const block = blocks[index] as BlockOf<'system'>;
		update(step, index, item, {...block, open: block.open || step.open, parts: [...block.parts, {item, origin}]});
		return;
	}
	invocations.set(origin.invocation, blocks.length);
	step.journal?.push(() => invocations.delete(origin.invocation));
	foldPart(step, item, origin);
}

/** A block of its own, of which the compaction that made it knows. */
function foldAutoRead(step: Step, item: Message, origin: Origin | undefined): void {
	foldPart(step, item, origin);
	if (origin?.kind !== 'auto_read') return;
	const {state: {blocks, byItem}, journal} = step;
	const index = byItem.get(origin.compaction);
	const block = index === undefined ? undefined : blocks[index];
	if (index === undefined || block?.kind !== 'compaction') return;
	blocks[index] = {...block, read: [...block.read, origin]};
	journal?.push(() => {
		blocks[index] = block;
	});
}

function foldNotice(step: Step, item: Message | ItemOf<'setup' | 'rewind' | 'context'>, origin?: Origin, names: readonly string[] = []): void {
	push(step, item, id => ({kind: 'notice', id, open: step.open, item, ...(origin === undefined ? {} : {origin}), ...(names.length > 0 && {names})}));
}

function blockOf({byItem, blocks}: Folded, id: string): Block | undefined {
	return blocks[byItem.get(id) ?? -1];
}

/** The person's first message behind the item that a rewind goes back to. */
function rewoundNames(state: Folded, {to}: ItemOf<'rewind'>): readonly string[] {
	const from = state.order.findLastIndex(({id}) => id === to);
	const after = from === -1 ? undefined : state.order.slice(from + 1).find(({id}) => blockOf(state, id)?.kind === 'user');
	return after === undefined ? [] : [nameOfItem(blockOf(state, after.id), after.id)!];
}

/** A type from a newer inkpod, which a running one may still send: shown as the JSON that it is. */
function foldUnknown(step: Step, item: Item): void {
	const {id, at} = item;
	foldPart(step, {id, at, type: 'message', role: 'system', text: `${item.type}\n${JSON.stringify(item, undefined, 2)}`}, undefined);
}

/** What a run used with one request more. */
function addRequest(totals: RunTotals, request: RequestItem, prices: PriceList | undefined): RunTotals {
	const {model, usage, startedAt, endedAt} = request;
	const ms = Date.parse(endedAt) - Date.parse(startedAt);
	return {
		model,
		requests: totals.requests + 1,
		...sum('input', totals.input, usage.input),
		...sum('output', totals.output, usage.output),
		...sum('cacheRead', totals.cacheRead, usage.cacheRead),
		ms: totals.ms + (ms > 0 ? ms : 0),
		...(prices !== undefined && {cost: addCost(totals.cost ?? noCost, costOf(request, prices))}),
	};
}

function sum<Key extends string>(key: Key, ...counts: ReadonlyArray<number | undefined>): {readonly [K in Key]?: number} {
	const known = counts.filter(count => count !== undefined);
	return (known.length === 0 ? {} : {[key]: known.reduce((total, count) => total + count, 0)}) as {readonly [K in Key]?: number};
}

function list({state: {order}, journal}: Step, {id}: Item): void {
	order.push({id});
	journal?.push(() => order.pop());
}

/** A user's or a model's item means that a run is under way until its run_end. */
function startRun(step: Step): void {
	if (!step.state.run.open) setRun(step, {...step.state.run, open: true});
}

function setRun(step: Step, run: Folded['run']): void {
	const before = step.state.run;
	step.state.run = run;
	step.journal?.push(() => {
		step.state.run = before;
	});
}

/** Appends a block under the item's id, made unique where a damaged history has it twice. */
function push({state, journal}: Step, item: Item, make: (id: string) => Block): number {
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

function update({state, journal}: Step, index: number, item: Item, block: Block): void {
	const old = state.blocks[index]!;
	const before = state.byItem.get(item.id);
	state.blocks[index] = block;
	state.byItem.set(item.id, index);
	journal?.push(() => {
		state.blocks[index] = old;
		restore(state.byItem, item.id, before);
	});
}

function restore(map: Map<string, number>, key: string, value: number | undefined): void {
	if (value === undefined) map.delete(key);
	else map.set(key, value);
}

function withItem(block: Block, item: Item): Block | undefined {
	if (block.kind === 'tool') {
		if (item.type === 'tool_call') return {...block, call: item};
		return item.type === 'tool_result' ? {...block, result: item} : undefined;
	}
	if (block.kind === 'system') {
		if (item.type !== 'message') return undefined;
		return {...block, parts: block.parts.map(part => (part.item.id === item.id ? {...part, item} : part))};
	}
	if (block.kind === 'foot' || 'derived' in block || block.item.type !== item.type) return undefined;
	return {...block, item} as Block;
}
