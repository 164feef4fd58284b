import {setImmediate} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import {moment, stamp, type History, type Item, type ItemOf} from '../../../worker/index.ts';
import {createSpent, totalCost} from '../../ground/counts/spent.ts';
import type {ApprovalMode, ChildStatus, OpenedChild, PodClient, PriceList, Receipt} from '../../protocol.ts';
import {specOf, type ChildEnd, type ChildSpec} from './child-session.ts';
import {
	createRunningChildren,
	statusOf,
	type RunningChildren,
	type RunningChildrenOptions,
	type RunningChild,
} from './running-children.ts';
import {childTexts} from './texts.ts';

/** The child sessions of a session. */
export type Children = {
	/**
	Lets a child work, and resolves with the end of the work and the `child_ended` item. For an interrupted child, the
	item is absent, and another call of `run` continues the child. `copied` are the items with which a new child begins.
	The signal interrupts the child.
	*/
	run(spec: ChildSpec, copied: readonly Item[], signal: AbortSignal): Promise<EndedChild>;
	/** Returns the children in history that have no `child_ended` item. */
	unfinished(): readonly ChildSpec[];
	/** Stops a child. Resolves with false if the child does not work. */
	stop(id: string): Promise<boolean>;
	/**
	Sets whether the end of a child in the background starts a turn of the parent. Returns false if there is no such
	child.
	*/
	setWakes(id: string, wakes: boolean): boolean;
	/** Opens a child for a screen. */
	open(id: string): Promise<OpenedChild>;
	/** Returns the children that work or wait. */
	running(): readonly ChildStatus[];
	/** Passes the approval mode of the parent to all open children. */
	setMode(mode: ApprovalMode): void;
	/** Interrupts the children that work, and closes all children. */
	close(): Promise<void>;
};

/**
The end of a child. `item` is absent if the child was interrupted. `wakes`: a turn of the parent begins if none is
running.
*/
export type EndedChild = ChildEnd & {
	readonly item?: ItemOf<'child_ended'>;
	readonly wakes?: boolean;
	/** A line for the model about the worktree of the child. */
	readonly note?: string;
};

type ChildrenOptions = Omit<RunningChildrenOptions, 'onChange'> & {
	readonly history: History;
	readonly prices: () => PriceList;
	readonly onChange: (running: readonly ChildStatus[]) => void;
};

/** The maximum number of children that work at the same time. */
const maxAtOnce = 4;

export function createChildren(options: ChildrenOptions): Children {
	const {history} = options;
	const entries = createRunningChildren({...options, onChange: changed});
	const slots = createSlots(maxAtOnce);
	const closing = new AbortController();
	const running = () =>
		entries
			.all()
			.filter(({isWorking}) => isWorking)
			.map(statusOf);
	let known: readonly ChildStatus[] = [];

	/**
	Reports a change of the running children. Each event of a child calls this function, and most events change nothing.
	*/
	function changed(): void {
		const next = running();
		if (isDeepStrictEqual(next, known)) return;
		known = next;
		options.onChange(next);
	}

	return {
		running,
		unfinished: () => unfinishedChildren(history.items),
		async run(spec, copied, signal) {
			const entry = entries.of(spec);
			entry.isWorking = true;
			changed();
			const working = work(entry, copied, {entries, slots, signal, closing: closing.signal});
			entry.ended = working.catch(() => {});
			try {
				const end = await working;
				if (end.outcome === 'interrupted') return end;
				return {...end, item: endItem(entry, end, options), wakes: entry.wakes};
			} finally {
				entry.isWorking = false;
				changed();
				void entries.rest(entry);
			}
		},
		async stop(id) {
			const entry = entries.get(id);
			if (entry?.isWorking !== true) return false;
			entry.stopping.abort('cancel');
			await entry.ended;
			return true;
		},
		setWakes(id, wakes) {
			const entry = entries.get(id);
			if (entry?.isWorking !== true || entry.spec.background !== true) return false;
			entry.wakes = wakes;
			changed();
			return true;
		},
		async open(id) {
			const spec = allChildren(history.items).find(({child}) => child === id);
			if (spec === undefined) return {ok: false, sentence: childTexts.missing};
			if (closing.signal.aborted) return {ok: false, sentence: childTexts.closing};
			return openView(entries.of(spec), entries);
		},
		setMode(mode) {
			for (const {live} of entries.all()) void live?.pod.send({method: 'approval', mode});
		},
		async close() {
			closing.abort('pause');
			const all = entries.all();
			await Promise.all(all.map(async ({ended}) => ended));
			await Promise.all(all.map(async ({live}) => live?.pod.send({method: 'shutdown'})));
		},
	};
}

type Work = {
	readonly entries: RunningChildren;
	readonly slots: Slots;
	/** The signal of the call. The reason `cancel` stops the child. Any other reason interrupts it. */
	readonly signal: AbortSignal;
	readonly closing: AbortSignal;
};

/** Lets a child work until its end, or until a signal stops the child. */
async function work(
	entry: RunningChild,
	copied: readonly Item[],
	{entries, slots, signal, closing}: Work,
): Promise<ChildEnd> {
	const stop = AbortSignal.any([signal, entry.stopping.signal, closing]);
	const how = () => (entry.stopping.signal.aborted || signal.reason === 'cancel' ? 'cancel' : 'pause');
	const release = await slots.take(stop);
	if (release === undefined) return {outcome: how() === 'cancel' ? 'stopped' : 'interrupted', text: ''};
	try {
		const problem = await entries.open(entry, copied);
		const {live} = entry;
		if (live === undefined) return {outcome: 'failed', text: '', cause: problem?.recorded ?? childTexts.missing};
		const halt = () => void live.stop(how());
		stop.addEventListener('abort', halt, {once: true});
		const working = live.work(entry.spec);
		if (stop.aborted) halt();
		return await working.finally(() => stop.removeEventListener('abort', halt));
	} finally {
		release();
	}
}

/** Opens a child for a screen. The child stays open until the screen closes its view. */
async function openView(entry: RunningChild, entries: RunningChildren): Promise<OpenedChild> {
	entry.views++;
	const leave = () => {
		entry.views--;
		void entries.rest(entry);
	};
	// A child that has just begun gets its slot in the next turn of the event loop.
	if (entry.isWorking && entry.live === undefined) await setImmediate();
	const isWaiting = entry.isWorking && entry.live === undefined && entry.opening === undefined;
	const problem = isWaiting ? childTexts.waiting : (await entries.open(entry))?.sentence;
	if (entry.live !== undefined) return {ok: true, pod: viewOf(entry.live.pod, leave)};
	leave();
	return {ok: false, sentence: problem ?? childTexts.missing};
}

type EndFacts = Pick<ChildrenOptions, 'clock' | 'prices'>;

function endItem(
	{spec, live, session, since}: RunningChild,
	{outcome}: ChildEnd,
	facts: EndFacts,
): ItemOf<'child_ended'> {
	const {clock, prices} = facts;
	const requests = live?.progress.requests() ?? [];
	const chain = session?.sum?.();
	const cost = totalCost(createSpent(Number.POSITIVE_INFINITY)(requests, prices()));
	return stamp(clock, {
		type: 'child_ended',
		child: spec.child,
		outcome,
		...(chain !== undefined && {head: {items: live?.progress.items() ?? 0, chain}}),
		requests: requests.filter(({type}) => type === 'request').length,
		usage: live?.progress.usage() ?? {},
		...(cost.unknown === 0 && {cost: cost.usd}),
		ms: Math.max(0, Math.round(moment(clock) - since)),
	});
}

function allChildren(items: readonly Item[]): readonly ChildSpec[] {
	return items.flatMap(item => (item.type === 'child_started' ? [specOf(item)] : []));
}

/** Returns the children in history that have no `child_ended` item. */
function unfinishedChildren(items: readonly Item[]): readonly ChildSpec[] {
	const ended = new Set(items.flatMap(item => (item.type === 'child_ended' ? [item.child] : [])));
	return allChildren(items).filter(({child}) => !ended.has(child));
}

/** Returns a client whose `shutdown` closes only the view and not the child. */
function viewOf(pod: PodClient, leave: () => void): PodClient {
	const accepted: Receipt = {accepted: true};
	let isOpen = true;
	return {
		...pod,
		async send(method) {
			if (method.method === 'leave') return accepted;
			if (method.method !== 'shutdown') return pod.send(method);
			if (isOpen) leave();
			isOpen = false;
			return accepted;
		},
	};
}

/** A limited number of slots. Callers that find none wait in the order of their calls. */
type Slots = {
	/** Resolves with a function that frees the slot, or with `undefined` if the signal is aborted first. */
	take(signal: AbortSignal): Promise<(() => void) | undefined>;
};

export function createSlots(count: number): Slots {
	const waiting = new Set<() => void>();
	let free = count;

	function release(): void {
		const [next] = waiting;
		if (next === undefined) free++;
		else {
			waiting.delete(next);
			next();
		}
	}

	function releaseOnce(): () => void {
		let isHeld = true;
		return () => {
			if (isHeld) release();
			isHeld = false;
		};
	}

	return {
		async take(signal) {
			if (signal.aborted) return undefined;
			if (free > 0) {
				free--;
				return releaseOnce();
			}
			const {promise, resolve} = Promise.withResolvers<(() => void) | undefined>();
			const begin = () => resolve(releaseOnce());
			const leave = () => {
				if (waiting.delete(begin)) resolve(undefined);
			};
			waiting.add(begin);
			signal.addEventListener('abort', leave, {once: true});
			return promise.finally(() => signal.removeEventListener('abort', leave));
		},
	};
}
