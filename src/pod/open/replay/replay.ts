import {lastSetup, type Item} from '../../../worker/index.ts';
import {lookUpModel} from '../../ground/counts/catalogue.ts';
import {pricesOf} from '../../ground/counts/meter.ts';
import type {Event, PodClient, Status} from '../../protocol.ts';
import {eachQuery} from '../../protocol/queries.ts';
import type {QueuedMessage, QueueMessage} from '../../protocol/queue.ts';
import type {ReplayStep} from '../../protocol/ledger.ts';
import {previewOf} from '../../run/queue/message-queue.ts';
import type {Files} from '../../disk/files.ts';
import type {StoredSession} from '../../disk/log/read.ts';
import {readConversation} from '../../disk/conversations/summary-conversations.ts';
import {t} from '../../../language/index.ts';

/** The position of a replay. `at` is the time of the last shown item. */
export type ReplayPlace = {
	readonly shown: number;
	readonly total: number;
	readonly at: string | undefined;
	readonly isPlaying: boolean;
};

export type ReplayOptions = {
	readonly session: StoredSession;
	/** The files of the session, on the disk or in a bundle. */
	readonly files: Files;
	/** The number of items that are shown at first. */
	readonly from: number;
	readonly speed: number;
	readonly isPlaying: boolean;
	readonly onMove: (place: ReplayPlace) => void;
};

/** A replay, which shows a stored session step by step. Its pod refuses all changes. */
export type Replay = {
	readonly pod: PodClient;
	readonly press: (step: ReplayStep) => void;
	readonly place: () => ReplayPlace;
	/** Starts to play. Called when a screen is connected. */
	readonly begin: () => void;
	readonly close: () => void;
};

export function createReplay({session, files, from, speed, isPlaying, onMove}: ReplayOptions): Replay {
	const {id, cwd, items, open} = session;
	const listeners = new Set<(event: Event) => void>();
	let shown = from;
	let plays = isPlaying && from < items.length;
	let timer: NodeJS.Timeout | undefined;
	const prices = pricesOf([], items, name => lookUpModel(name) ?? {});
	const model = () => lastSetup(items.slice(0, shown))?.model ?? lastSetup(items)?.model ?? '';
	const status = (): Status => {
		const rest = {asks: [], queue: shown === items.length ? open.waiting.map(rowOf) : []};
		if (!isRunningAt(items, shown)) return {kind: 'idle', ...rest};
		return {kind: 'running', step: stepAt(items, shown), ...rest};
	};
	const place = () => ({shown, total: items.length, at: items[shown - 1]?.at, isPlaying: plays});

	function snapshot(): Event {
		const scope = {pwd: cwd, writable: true, readRoots: []};
		const info = {id, model: model(), scope, prices};
		return {type: 'snapshot', session: info, items: items.slice(0, shown), tail: [], status: status()};
	}

	function emit(event: Event): void {
		for (const listener of listeners) listener(event);
	}

	function subscribe(listener: (event: Event) => void): () => void {
		listener(snapshot());
		listeners.add(listener);
		return () => listeners.delete(listener);
	}

	function goTo(next: number): void {
		const before = shown;
		shown = next;
		if (next < before || next - before > maxLive) emit(snapshot());
		else {
			for (const item of items.slice(before, next)) emit({type: 'item', item});
			emit({type: 'status', status: status()});
		}
	}

	function schedule(): void {
		clearTimeout(timer);
		if (shown === items.length) plays = false;
		if (plays) timer = setTimeout(() => step('next item'), pauseBefore(items, shown, speed));
		onMove(place());
	}

	function step(name: Exclude<ReplayStep, 'play'>): void {
		const next = placeAfter(items, shown, name);
		if (next !== shown) goTo(next);
		schedule();
	}

	return {
		pod: replayPod({session, files, shown: () => items.slice(0, shown), model, subscribe}),
		press(name) {
			if (name !== 'play') {
				step(name);
				return;
			}
			plays = !plays && shown < items.length;
			schedule();
		},
		place,
		begin: schedule,
		close: () => clearTimeout(timer),
	};
}

/** Returns the number of shown items after a step. `shown` is the number before the step. */
export function placeAfter(items: readonly Item[], shown: number, step: Exclude<ReplayStep, 'play'>): number {
	return places[step](items, shown);
}

/** Returns the number of milliseconds until the replay shows the next item. Long waits are shortened. */
export function pauseBefore(items: readonly Item[], shown: number, speed: number): number {
	const [last, next] = [timeOf(items[shown - 1]), timeOf(items[shown])];
	const gap = last === undefined || next === undefined ? 0 : Math.max(0, next - last);
	return Math.min(gap, maxPauseMs) / speed;
}

/**
Returns the step of the turn after `shown` items: running tools after a call, and otherwise waiting for the model.
*/
export function stepAt(items: readonly Item[], shown: number): 'tools' | 'requesting' {
	const last = items.slice(0, shown).findLast(({type}) => type !== 'request_end');
	return last?.type === 'tool_call' ? 'tools' : 'requesting';
}

/** Tells whether a turn runs after `shown` items. At the end of the history no turn runs, as in a resumed session. */
export function isRunningAt(items: readonly Item[], shown: number): boolean {
	if (shown === items.length) return false;
	for (let at = shown - 1; at >= 0; at--) {
		const item = items[at];
		if (item?.type === 'run_end') return false;
		if (item?.type === 'request' || (item?.type === 'message' && item.role === 'user')) return true;
	}
	return false;
}

function rowOf({id, segments, command}: QueueMessage): QueuedMessage {
	return {id, state: 'queued', preview: previewOf(segments), ...(command !== undefined && {isCommand: true})};
}

type PodOptions = Pick<ReplayOptions, 'session' | 'files'> &
	Pick<PodClient, 'subscribe'> & {readonly shown: () => readonly Item[]; readonly model: () => string};

function replayPod({session: {dir, items}, files, shown, model, subscribe}: PodOptions): PodClient {
	return {
		...readOnlyQueries(),
		subscribe,
		async ledger() {
			// This code is loaded on demand, because few replays show the context.
			const {createLedger} = await import('../../context/ledger/ledger-query.ts');
			return createLedger({items: shown, stale: async () => [], window: () => lookUpModel(model())?.window})();
		},
		async conversation(compaction) {
			const item = items.find(each => each.id === compaction);
			return readConversation(dir, compaction, conversationOf(item), files);
		},
		async send({method}) {
			return method === 'shutdown' || method === 'leave'
				? {accepted: true}
				: {accepted: false, code: 'closed', sentence: replayTexts.readOnly};
		},
		child: async () => ({ok: false, sentence: replayTexts.noChildren}),
	};
}

/** Returns the queries of a replay. Some return an empty result, and all others throw. */
function readOnlyQueries(): Omit<PodClient, 'subscribe' | 'send' | 'child'> {
	return {
		...eachQuery(() => async () => {
			throw new Error(replayTexts.readOnly);
		}),
		stale: async () => [],
		workflows: async () => [],
		namedPath: async () => undefined,
		backgroundOutput: async () => undefined,
	};
}

function conversationOf(item: Item | undefined): Parameters<typeof readConversation>[2] {
	return item?.type === 'compaction' ? item.conversation : undefined;
}

/** The maximum number of items that a step forward shows one by one. A longer step sends a new snapshot instead. */
const maxLive = 200;

const places: {
	readonly [Step in Exclude<ReplayStep, 'play'>]: (items: readonly Item[], shown: number) => number;
} = {
	'next item': (items, shown) => Math.min(shown + 1, items.length),
	'previous item': (_, shown) => Math.max(shown - 1, 0),
	'next request': (items, shown) => afterRequest(items, shown, 1),
	'previous request': (items, shown) => afterRequest(items, shown, -1),
	'next second': later,
	'previous second': earlier,
	start: () => 0,
	end: items => items.length,
};

function afterRequest(items: readonly Item[], shown: number, direction: 1 | -1): number {
	for (let place = shown + direction; place > 0 && place < items.length; place += direction)
		if (items[place - 1]?.type === 'request') return place;
	return direction === 1 ? items.length : 0;
}

/** Returns the position after all items of the next second. The position advances by at least one item. */
function later(items: readonly Item[], shown: number): number {
	const until = (timeOf(items[Math.max(0, shown - 1)]) ?? 0) + 1000;
	let place = Math.min(shown + 1, items.length);
	while (place < items.length && (timeOf(items[place]) ?? 0) <= until) place++;
	return place;
}

function earlier(items: readonly Item[], shown: number): number {
	const until = (timeOf(items[Math.max(0, shown - 1)]) ?? 0) - 1000;
	let place = Math.max(shown - 1, 0);
	while (place > 0 && (timeOf(items[place - 1]) ?? 0) > until) place--;
	return place;
}

function timeOf(item: Item | undefined): number | undefined {
	const time = Date.parse(item?.at ?? '');
	return Number.isNaN(time) ? undefined : time;
}

const maxPauseMs = 2000;

/** The texts of a replay. */
const replayTexts = {
	readOnly: t`This is a replay: nothing can be changed.`,
	noChildren: t`Child sessions cannot be opened in a replay.`,
} as const;
