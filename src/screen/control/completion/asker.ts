import type {CompletionQuery, Completions, PodClient} from '../../../pod/protocol.ts';
import type {Timers} from '../timers.ts';
import {isSameQuery} from '../../model/completion/entries.ts';
import {completionFailed} from '../../view/completion/texts.ts';

/** Sends the popup's latest query to a pod, one query at a time. A newer query replaces one that is still waiting. */
export type Asker = {
	/** Sets the wanted query. `undefined` means that no popup is open. */
	want(query: CompletionQuery | undefined): void;
	stop(): void;
};

type AskerOptions = {
	/** Resolves when a pod is connected. */
	readonly client: Promise<PodClient>;
	/** Receives only answers to the wanted query. */
	readonly answered: (answer: Completions) => void;
	readonly timers: Timers;
};

export function createAsker({client, answered, timers}: AskerOptions): Asker {
	let wanted: CompletionQuery | undefined;
	let asking = false;
	let cancel: (() => void) | undefined;

	function ask(): void {
		cancel?.();
		cancel = undefined;
		if (asking || wanted === undefined) return;
		asking = true;
		timers.soon(() => void run());
	}

	async function run(): Promise<void> {
		const pod = await client;
		const query = wanted;
		if (query !== undefined) await askOf(pod, query);
		asking = false;
		if (!isSameQuery(query, wanted)) ask();
	}

	async function askOf(pod: PodClient, query: CompletionQuery): Promise<void> {
		const answer = await pod.complete(query).catch((error: unknown) => failed(query, error));
		if (!isSameQuery(wanted, query) || !isSameQuery(answer.query, query)) return;
		if (answer.indexing) cancel = timers.after(indexPause, ask);
		answered(answer);
	}

	return {
		want(query) {
			if (isSameQuery(query, wanted)) return;
			wanted = query;
			ask();
		},
		stop() {
			wanted = undefined;
			cancel?.();
		},
	};
}

/** The number of milliseconds after which the query is repeated while the pod builds its index. */
const indexPause = 150;

function failed(query: CompletionQuery, error: unknown): Completions {
	const reason = error instanceof Error ? error.message : String(error);
	return {query, matches: [], indexing: false, note: completionFailed(reason)};
}
