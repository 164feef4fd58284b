import {notifyAll} from '../../worker/index.ts';
import type {Alert, Event, Method, PodClient, Receipt} from '../protocol.ts';

/** What takes the place of a pod that is gone, and what the person is told of it; or why nothing does. */
export type Reconnected =
	| {readonly ok: true; readonly pod: PodClient; readonly alerts: readonly Alert[]}
	| {readonly ok: false; readonly sentence: string};

export type ReconnectOptions = {
	/** Told to the first listener, right behind its snapshot. */
	readonly alerts: readonly Alert[];
	/** Finds a successor within a bounded time. The signal is aborted when nobody wants one any more. */
	readonly reconnect: (signal: AbortSignal) => Promise<Reconnected>;
	/** Milliseconds of a clock that only goes forward. */
	readonly now?: () => number;
};

/**
A pod that outlives the one behind it: when that is closed by anybody but us, its successor takes its place, and
every listener begins anew with a snapshot. What is asked meanwhile waits for it. It is closed when there is no
successor, or when several in a row were closed soon after they came: a server that hangs up again and again is not
followed for ever.
*/
export function createReconnectingClient(first: PodClient, options: ReconnectOptions): PodClient {
	const {alerts, reconnect, now = () => performance.now()} = options;
	const listeners = new Set<(event: Event) => void>();
	const leaving = new AbortController();
	let current = first;
	let next: Promise<void> | undefined;
	let untold = alerts;
	let isClosed = false;
	let since = now();
	/** How many in a row did not last. */
	let brief = 0;

	function follow(pod: PodClient): void {
		since = now();
		pod.subscribe(event => {
			if (event.type === 'closed' && !leaving.signal.aborted) {
				next ??= replace();
				return;
			}
			isClosed ||= event.type === 'closed';
			notifyAll(listeners, event);
		});
	}

	async function replace(): Promise<void> {
		brief = now() - since < briefMs ? brief + 1 : 0;
		const found = brief > maxBrief ? hungUp : await reconnect(leaving.signal).catch(failedBy);
		next = undefined;
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
		await next;
		if (isClosed) return {accepted: false, code: 'closed', sentence: 'The session is closed.'};
		return current.send(method);
	}

	async function asked<Answer>(ask: (pod: PodClient) => Promise<Answer>): Promise<Answer> {
		await next;
		return ask(current);
	}

	follow(first);
	return {
		subscribe(listener) {
			current.subscribe(event => {
				if (event.type === 'snapshot') listener(event);
			})();
			listeners.add(listener);
			const told = untold;
			untold = [];
			for (const alert of told) listener({type: 'alert', alert});
			return () => listeners.delete(listener);
		},
		send,
		complete: async query => asked(pod => pod.complete(query)),
		preflight: async (segments, signal) => asked(pod => pod.preflight(segments, signal)),
		workflows: async () => asked(pod => pod.workflows()),
		mcp: async () => asked(pod => pod.mcp()),
		backgroundOutput: async id => asked(pod => pod.backgroundOutput(id)),
		stale: async ids => asked(pod => pod.stale(ids)),
		ledger: async () => asked(pod => pod.ledger()),
		filesSince: async to => asked(pod => pod.filesSince(to)),
	};
}

function failedBy(error: unknown): Reconnected {
	return {ok: false, sentence: error instanceof Error ? error.message : String(error)};
}

/** A pod that is closed within this time did not last. */
const briefMs = 10_000;
const maxBrief = 5;
const hungUp: Reconnected = {
	ok: false,
	sentence: 'The other terminal hung up several times in a row. Start inkpod again to attach to it.',
};
