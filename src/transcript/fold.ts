import {
	namedCall,
	narrowOrigin,
	type Item,
	type ItemOf,
	type ItemType,
	type Message,
	type Origin,
} from '../pod/protocol.ts';
import {kindByOrigin, type Block, type BlockOf} from './block.ts';
import {foldChildEnded, foldChildStarted} from './lists/child-sessions.ts';
import {foldAutoRead, foldCompaction, foldContext, foldRewind} from './fold-context.ts';
import {foldRequest, foldRequestEnd, foldRunEnd} from './fold-request.ts';
import {listTasks} from './lists/task-lists.ts';
import {
	foldNotice,
	foldPart,
	push,
	restore,
	setRun,
	update,
	type FoldState,
	type Journal,
	type Step,
} from './fold-state.ts';
import {markRewound} from './session-tail.ts';

/**
Adds an item to the blocks (L2). Every item becomes visible in some block, in whatever order the items come. `open`:
whether the item is still being streamed. With a journal, the fold can be undone, as is necessary for provisional items.
*/
export function fold(state: FoldState, item: Item, open = false, journal?: Journal): void {
	const step = {state, open, journal};
	foldItem(step, item);
	if (item.type === 'rewind' || item.type === 'context') markRewound(step);
}

/** Folds many items, and yields after every 16 items. The blocks that rewinds removed are marked once, at the end. */
export function* foldMany(state: FoldState, items: readonly Item[]): Generator<undefined, void> {
	const step = {state, open: false, journal: undefined};
	for (const [index, item] of items.entries()) {
		foldItem(step, item);
		if (index % 16 === 15) yield;
	}
	markRewound(step);
}

/** Undoes the folds in this journal and empties it. */
export function rollBack(journal: Journal): void {
	for (let undo = journal.pop(); undo !== undefined; undo = journal.pop()) undo();
}

/**
Replaces an item with a newer version that has the same id. The result is the same as if only the newer version had been
folded. Returns false if there is no such item to replace.
*/
export function replace(state: FoldState, item: Item): boolean {
	const index = state.byItem.get(item.id);
	const block = index === undefined ? undefined : state.blocks[index];
	if (index === undefined || block === undefined) return false;
	const next = withItem(block, item);
	if (next === undefined) return false;
	state.blocks[index] = next;
	return true;
}

function foldItem(step: Step, item: Item): void {
	list(step, item);
	if (Object.hasOwn(folders, item.type)) foldKnown(step, item);
	else foldUnknown(step, item);
}

function foldKnown<Type extends ItemType>(step: Step, item: FoldedOf<Type>): void {
	const type: Type = item.type;
	folders[type](step, item);
}

type FoldedOf<Type extends ItemType> = {readonly [Each in Type]: ItemOf<Each> & {readonly type: Each}}[Type];

const folders: {readonly [Type in ItemType]: (step: Step, item: FoldedOf<Type>) => void} = {
	message: foldMessage,
	reasoning(step, item) {
		startRun(step);
		push(step, item, id => ({kind: 'thinking', id, open: step.open, item}));
	},
	tool_call(step, item) {
		startRun(step);
		const index = push(step, item, id => ({kind: 'tool', id, open: step.open, ...callOf(item, step.open)}));
		const {
			calls,
			run: {edge},
		} = step.state;
		const known = calls.get(item.callId);
		// Some small servers use a call id again in a later answer. Then the id means the new call, even if the old
		// call has no result.
		const goesOn = known !== undefined && (known.blocks.at(-1) ?? -1) > edge;
		if (goesOn) known.blocks.push(index);
		else calls.set(item.callId, {blocks: [index], answered: 0});
		step.journal?.push(() => {
			if (goesOn) known.blocks.pop();
			else if (known === undefined) calls.delete(item.callId);
			else calls.set(item.callId, known);
		});
	},
	tool_result(step, item) {
		if (item.partialOf !== undefined) {
			foldPartial(step, item, item.partialOf);
			return;
		}
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
		listTasks(step, index, item);
	},
	setup: foldNotice,
	rewind: foldRewind,
	context: foldContext,
	compaction: foldCompaction,
	request: foldRequest,
	request_end: foldRequestEnd,
	run_end: foldRunEnd,
	child_started: foldChildStarted,
	child_ended: foldChildEnded,
	title: foldNotice,
	mode: foldNotice,
	redaction: foldNotice,
};

/**
Returns the call that the row shows. If the model wrote a call that names another tool, returns the named call, and
`written` is the item that the model wrote.
*/
function callOf(item: ItemOf<'tool_call'>, isOpen: boolean): Pick<BlockOf<'tool'>, 'call' | 'written'> {
	const call = namedCall(item, isOpen);
	return call === item ? {call} : {call, written: item};
}

/** Folds the output of a stopped call into the block of the call. The output does not answer the call. */
function foldPartial(step: Step, item: ItemOf<'tool_result'>, call: string): void {
	const index = step.state.byItem.get(call);
	const block = index === undefined ? undefined : step.state.blocks[index];
	if (index === undefined || block?.kind !== 'tool')
		push(step, item, id => ({kind: 'tool', id, open: step.open, result: item}));
	else update(step, index, item, {...block, open: block.open || step.open, result: item});
}

function foldMessage(step: Step, item: Message): void {
	const origin = narrowOrigin(item.origin);
	if (item.role === 'user') foldUser(step, item, origin);
	else if (item.role === 'assistant') push(step, item, id => ({kind: 'assistant', id, open: step.open, item}));
	else foldSystem(step, item, origin);
	if (item.role !== 'system') startRun(step);
}

function foldUser(step: Step, item: Message, origin: Origin | undefined): void {
	const {asked, order} = step.state;
	asked.push({at: order.length - 1, id: item.id});
	step.journal?.push(() => asked.pop());
	push(step, item, id => ({kind: 'user', id, open: step.open, item, ...(origin === undefined ? {} : {origin})}));
}

function foldSystem(step: Step, item: Message, origin: Origin | undefined): void {
	if (origin === undefined) {
		foldPart(step, item, origin);
		return;
	}
	const kind = kindByOrigin[origin.kind];
	if (kind === 'system') (groups[origin.kind] ?? foldPart)(step, item, origin);
	else push(step, item, id => ({kind, id, open: step.open, item, origin}));
}

/** The origins whose messages are grouped into one block. */
const groups: {readonly [Kind in Origin['kind']]?: typeof foldPart} = {
	auto_read: foldAutoRead,
	workflow: foldInvocation,
	knowledge: foldInvocation,
	shell: foldCommand,
};

/**
Folds the items of one workflow invocation into a single block, in any order and even if other items are between them.
*/
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

/** Folds the output of a command into the block that shows the start of the command. */
function foldCommand(step: Step, item: Message, origin: Origin | undefined): void {
	const {byItem, blocks} = step.state;
	const isOutput = origin?.kind === 'shell' && origin.started !== true;
	const index = isOutput ? byItem.get(origin.start ?? '') : undefined;
	const block = index === undefined ? undefined : blocks[index];
	if (origin === undefined || index === undefined || block?.kind !== 'system') foldPart(step, item, origin);
	else update(step, index, item, {...block, open: block.open || step.open, parts: [...block.parts, {item, origin}]});
}

/** Folds an item of an unknown type, which is shown as JSON. A newer version of inkpod may write such items. */
function foldUnknown(step: Step, item: Item): void {
	const {id, at} = item;
	foldPart(
		step,
		{id, at, type: 'message', role: 'system', text: `${item.type}\n${JSON.stringify(item, undefined, 2)}`},
		undefined,
	);
}

function list({state: {order, places, blocks}, journal}: Step, {id}: Item): void {
	const before = places.get(id);
	places.set(id, order.length);
	order.push({id, block: blocks.length});
	journal?.push(() => {
		order.pop();
		restore(places, id, before);
	});
}

/**
Notes that a run has begun. A run begins with an item of the user or of the model, and continues until its run_end.
*/
function startRun(step: Step): void {
	if (!step.state.run.open) setRun(step, {...step.state.run, open: true});
}

function withItem(block: Block, item: Item): Block | undefined {
	if (block.kind === 'tool') {
		if (item.type === 'tool_call') return {...block, written: undefined, ...callOf(item, block.open)};
		return item.type === 'tool_result' ? {...block, result: item} : undefined;
	}
	if (block.kind === 'system') {
		if (item.type !== 'message') return undefined;
		return {...block, parts: block.parts.map(part => (part.item.id === item.id ? {...part, item} : part))};
	}
	if (block.kind === 'usage' || block.kind === 'child' || 'derived' in block || block.item.type !== item.type)
		return undefined;
	return {...block, item} as Block;
}
