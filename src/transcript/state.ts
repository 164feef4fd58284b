import {
	growTail,
	settleTail,
	type Alert,
	type Event,
	type Item,
	type SessionInfo,
	type Status,
} from '../pod/protocol.ts';
import type {Block} from './block.ts';
import {fold, foldMany, replace, rollBack} from './fold.ts';
import {loseAnswer} from './fold-request.ts';
import {emptyFold, type FoldState, type Journal} from './fold-state.ts';

/**
The data that the screen has about its pod. It is changed in place, and `version` increases with each change. The blocks
are always the result of folding the committed items and then the provisional items (L2, L3). When an item is committed,
the folds of the provisional items are undone first and repeated afterwards.
*/
export type Transcript = {
	version: number;
	/** The number of received snapshots. Each snapshot makes all data that was derived from blocks invalid. */
	epoch: number;
	session: SessionInfo | undefined;
	status: Status;
	/** The number of committed items. */
	committed: number;
	/** The provisional items, in the order in which they began. */
	readonly tail: Item[];
	folded: FoldState;
	/** The latest alerts, oldest first, at most 50, and their total count. Alerts never enter the history. */
	alerts: readonly Alert[];
	alertCount: number;
	closed: {readonly sentence?: string} | undefined;
	/** The functions that undo the folds of provisional items and of derived blocks. */
	readonly journal: Journal;
};

/**
The blocks that the screen shows if a process died during a run, or if a run was interrupted. They are derived from the
items and the status, and have no items themselves.
*/
const cutBlock: Block = {kind: 'notice', id: 'cut', open: false, derived: 'cut'};
const pausedBlock: Block = {kind: 'notice', id: 'cut', open: false, derived: 'paused'};

export function createTranscript(): Transcript {
	return {
		version: 0,
		epoch: 0,
		session: undefined,
		status: {kind: 'idle', asks: [], queue: []},
		committed: 0,
		tail: [],
		folded: emptyFold(),
		alerts: [],
		alertCount: 0,
		closed: undefined,
		journal: [],
	};
}

/** Applies one event to the transcript. `folded` is the result of `foldAhead` for a snapshot. */
export function reduce<Type extends Event['type']>(state: Transcript, event: EventOf<Type>, folded?: FoldState): void {
	const type: Type = event.type;
	reducers[type](state, event, folded);
	state.version++;
}

/** Folds the items of a snapshot step by step, so that inkpod can handle key presses while many items are folded. */
export function* foldAhead({
	session,
	items,
}: Pick<EventOf<'snapshot'>, 'session' | 'items'>): Generator<undefined, FoldState> {
	const folded = emptyFold(session.prices);
	yield* foldMany(folded, items);
	return folded;
}

/** Returns the blocks of the screen in order. Do not keep the array, because it is changed in place. */
export function blocksOf(state: Transcript): readonly Block[] {
	return state.folded.blocks;
}

type EventOf<Type extends Event['type']> = {[Each in Type]: EventMap[Each] & {readonly type: Each}}[Type];
type EventMap = {readonly [Each in Event as Each['type']]: Each};

const reducers: {
	readonly [Type in Event['type']]: (state: Transcript, event: EventOf<Type>, folded?: FoldState) => void;
} = {
	snapshot(state, {session, items, tail, status}, folded = foldAll({session, items})) {
		state.journal.length = 0;
		state.epoch++;
		state.folded = folded;
		state.session = session;
		state.status = status;
		state.committed = items.length;
		state.tail.splice(0, state.tail.length, ...tail);
		state.closed = undefined;
		foldTail(state);
	},
	item(state, {item}) {
		rollBack(state.journal);
		fold(state.folded, item);
		state.committed++;
		settleTail(state.tail, item);
		foldTail(state);
	},
	delta(state, delta) {
		// While an item is streaming, no derived block follows it, so only the new item has to be folded.
		const isAfterTail = state.tail.length > 0;
		growTail(state.tail, delta);
		const grown = state.tail.findLast(item => item.id === delta.id);
		if (grown === undefined) return;
		if (delta.begin === undefined && replace(state.folded, grown)) return;
		if (delta.begin !== undefined && isAfterTail) {
			fold(state.folded, grown, true, state.journal);
			return;
		}
		rollBack(state.journal);
		foldTail(state);
	},
	status(state, {status}) {
		const moved = state.status.kind !== status.kind;
		state.status = status;
		if (!moved) return;
		rollBack(state.journal);
		foldTail(state);
	},
	alert(state, {alert}) {
		state.alerts = [...state.alerts, alert].slice(-50);
		state.alertCount++;
	},
	closed(state, {sentence}) {
		state.closed = sentence === undefined ? {} : {sentence};
	},
};

function foldAll(snapshot: Parameters<typeof foldAhead>[0]): FoldState {
	const steps = foldAhead(snapshot);
	for (;;) {
		const {done, value} = steps.next();
		if (done === true) return value;
	}
}

function foldTail(state: Transcript): void {
	const {folded, journal} = state;
	for (const item of state.tail) fold(folded, item, true, journal);
	if (state.tail.length > 0 || state.status.kind === 'running') return;
	if (folded.run.open) {
		loseAnswer({state: folded, open: false, journal});
		pushDerived(state, cutBlock);
	} else if (waitForUser(state)) pushDerived(state, pausedBlock);
}

/** Marks the footer of the last run if the run was interrupted. Returns whether the run was interrupted. */
function waitForUser({folded: {blocks}, journal}: Transcript): boolean {
	const index = blocks.findLastIndex(({kind}) => kind === 'usage' || kind === 'user');
	const foot = blocks[index];
	if (foot?.kind !== 'usage' || foot.end?.outcome !== 'paused' || foot.rewound === true) return false;
	blocks[index] = {...foot, waits: true};
	journal.push(() => {
		blocks[index] = foot;
	});
	return true;
}

function pushDerived({folded, journal}: Transcript, block: Block): void {
	const index = folded.blocks.length;
	folded.blocks.push(block);
	folded.indexOf.set(block.id, index);
	journal.push(() => {
		folded.blocks.pop();
		folded.indexOf.delete(block.id);
	});
}
