import {notifyAll} from '../../worker/index.ts';
import {eachQuery, type Queries} from '../protocol/queries.ts';
import type {Alert, Event, Method, PodClient, Receipt} from '../protocol.ts';
import {texts} from './texts.ts';
import {messageOf} from '../values/message-of.ts';

/** The pod that replaces a closed one, with alerts for the user, or why there is none. */
export type Reconnected =
	| {readonly ok: true; readonly pod: PodClient; readonly alerts: readonly Alert[]}
	| {readonly ok: false; readonly sentence: string};

export type ReconnectOptions = {
	/** Sent to the first listener, right after its snapshot. */
	readonly alerts: readonly Alert[];
	/** Finds a replacement within a bounded time. The signal is aborted when it is no longer needed. */
	readonly reconnect: (signal: AbortSignal) => Promise<Reconnected>;
	/** A monotonic clock, in milliseconds. */
	readonly now?: () => number;
};

/**
A client that outlives its pod. When another process closes the pod, a replacement takes over and every listener starts
again with a snapshot. Requests wait for it meanwhile. The client is closed when there is no replacement, or when
several in a row closed soon after they came: it does not follow a server that hangs up again and again.
*/
export function createReconnectingClient(first: PodClient, options: ReconnectOptions): PodClient {
	const {alerts, reconnect, now = () => performance.now()} = options;
	const listeners = new Set<(event: Event) => void>();
	const leaving = new AbortController();
	let current = first;
	let replacing: Promise<void> | undefined;
	let unsent = alerts;
	let isClosed = false;
	let since = now();
	/** How many in a row closed early. */
	let brief = 0;

	function follow(pod: PodClient): void {
		since = now();
		pod.subscribe(event => {
			if (event.type === 'closed' && !leaving.signal.aborted) {
				replacing ??= replace();
				return;
			}
			isClosed ||= event.type === 'closed';
			notifyAll(listeners, event);
		});
	}

	async function replace(): Promise<void> {
		brief = now() - since < briefMs ? brief + 1 : 0;
		const found = brief > maxBrief ? hungUp : await reconnect(leaving.signal).catch(failedBy);
		replacing = undefined;
		if (!found.ok) {
			isClosed = true;
			notifyAll(listeners, {type: 'closed', ...(!leaving.signal.aborted && {sentence: found.sentence})});
			return;
		}
		current = found.pod;
		follow(current);
		for (const alert of found.alerts) notifyAll(listeners, {type: 'alert', alert});
	}

	async function send(method: Method): Promise<Receipt> {
		if (method.method === 'shutdown') leaving.abort();
		await replacing;
		if (isClosed) return {accepted: false, code: 'closed', sentence: texts.closed};
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
			return () => listeners.delete(listener);
		},
		send,
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

/** A pod that closes within this time closed early. */
const briefMs = 10_000;
const maxBrief = 5;
const hungUp: Reconnected = {ok: false, sentence: texts.hungUp};
