import {notifyAll} from '../../../worker/index.ts';
import {eachQuery, type Queries} from '../../protocol/queries.ts';
import type {Alert, Event, Method, PodClient, Receipt} from '../../protocol.ts';
import {texts} from './texts.ts';
import {messageOf} from '../../ground/values/message-of.ts';

/** The pod that replaces a closed one with alerts for the user, or the reason why there is none. */
export type Reconnected =
	| {readonly ok: true; readonly pod: PodClient; readonly alerts: readonly Alert[]}
	| {readonly ok: false; readonly sentence: string};

type ReconnectOptions = {
	/** The first listener receives these alerts right after its snapshot, with those of pods that came before it. */
	readonly alerts: readonly Alert[];
	/** Finds a replacement within a limited time. The signal aborts when the client no longer needs one. */
	readonly reconnect: (signal: AbortSignal) => Promise<Reconnected>;
	/** Returns the time of a monotonic clock, in milliseconds. */
	readonly now?: () => number;
};

/**
Creates a client that outlives its pod.
When another process closes the pod, a replacement takes over. Every listener then starts again with a snapshot, and
requests wait for it.
The client closes if there is no replacement, or if several replacements in a row close early.
*/
export function createReconnectingClient(first: PodClient, options: ReconnectOptions): PodClient {
	const {alerts, reconnect, now = () => performance.now()} = options;
	const listeners = new Set<(event: Event) => void>();
	const leaving = new AbortController();
	let current = first;
	let replacing: Promise<void> | undefined;
	let unsent = alerts;
	/** The last event. A later listener receives it right after its snapshot. */
	let closed: Event | undefined;
	let since = now();
	/** The number of pods in a row that closed early. */
	let brief = 0;

	function follow(pod: PodClient): void {
		since = now();
		pod.subscribe(event => {
			if (event.type === 'closed' && !leaving.signal.aborted) {
				replacing ??= replace();
				return;
			}
			if (event.type === 'closed') closed = event;
			notifyAll(listeners, event);
		});
	}

	async function replace(): Promise<void> {
		brief = now() - since < briefMs ? brief + 1 : 0;
		const found = brief > maxBrief ? hungUp : await reconnect(leaving.signal).catch(failedBy);
		replacing = undefined;
		if (!found.ok) {
			closed = {type: 'closed', ...(!leaving.signal.aborted && {sentence: found.sentence})};
			notifyAll(listeners, closed);
			return;
		}
		current = found.pod;
		follow(current);
		if (listeners.size === 0) unsent = [...unsent, ...found.alerts];
		else for (const alert of found.alerts) notifyAll(listeners, {type: 'alert', alert});
	}

	async function send(method: Method): Promise<Receipt> {
		if (method.method === 'shutdown') leaving.abort();
		await replacing;
		if (closed !== undefined) return {accepted: false, code: 'closed', sentence: texts.closed};
		return current.send(method);
	}

	follow(first);
	return {
		subscribe(listener) {
			current.subscribe(event => {
				if (event.type === 'snapshot') listener(event);
			})();
			listeners.add(listener);
			const firstAlerts = unsent;
			unsent = [];
			for (const alert of firstAlerts) listener({type: 'alert', alert});
			if (closed !== undefined) listener(closed);
			return () => listeners.delete(listener);
		},
		send,
		async child(id) {
			await replacing;
			return current.child(id);
		},
		...eachQuery(name => async (argument, signal) => {
			await replacing;
			const queries: Queries = current;
			return queries[name](argument, signal);
		}),
	};
}

function failedBy(error: unknown): Reconnected {
	return {ok: false, sentence: messageOf(error)};
}

/** A pod closes early if it closes within this time, in milliseconds. */
const briefMs = 10_000;
const maxBrief = 5;
const hungUp: Reconnected = {ok: false, sentence: texts.hungUp};
