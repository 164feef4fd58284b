import type {App} from '../app.ts';
import type {AppState} from '../../model/app-state.ts';
import {realTimers, type Timers} from '../timers.ts';
import type {Row} from '../../spans/row.ts';
import type {SeenEntries} from '../../model/completion/completion-state.ts';
import {isEntryKey, isSameQuery} from '../../model/completion/completion-state.ts';
import {queryOf} from '../../model/completion/completion-state.ts';
import type {CommandName} from '../../model/commands/commands.ts';
import type {CompletionQuery, Completions, PodClient} from '../../../pod/protocol.ts';
import {completionFailed} from '../../view/completion/texts.ts';

export function stopAsking(app: App): void {
	askers.get(app)?.stop();
}

/** Sends the popup's current query to the pod. */
export function askForPopup(app: App, before: AppState): void {
	const {popup} = app.state.completion;
	if (popup === before.completion.popup) return;
	const query = queryOf(popup);
	if (query !== undefined || askers.has(app)) askerOf(app).want(query);
	if (query?.kind === 'workflow' && queryOf(before.completion.popup)?.kind !== 'workflow') void noteUse(app);
}

/** Records that the user used `command`, if it is given. Then sorts the popup by how often the user uses each entry. */
export async function noteUse(app: App, command?: CommandName): Promise<void> {
	const client = await app.client.promise;
	// Without an answer, the popup keeps its order. If the connection to the pod was lost, other code reports it.
	const names = await client.used(command).catch(() => undefined);
	if (names === undefined || app.state.lifecycle.quitting) return;
	app.dispatch({type: 'used names came', names});
	app.changed('now');
}

/** Records which entries of the popup a frame showed, if they are not the same entries as in the previous frame. */
export function reportSeen(app: App, rows: readonly Row[]): void {
	const {seen} = app.state.completion;
	const now = seenIn(rows);
	if (!isSameSeen(seen, now)) app.dispatch({type: 'completion shown', seen: now});
}

const askers = new WeakMap<App, Asker>();

function askerOf(app: App): Asker {
	const known = askers.get(app);
	if (known !== undefined) return known;
	const asker = createAsker({
		client: app.client.promise,
		answered(answer) {
			app.dispatch({type: 'completions came', answer});
			app.changed('now');
		},
		timers: app.options.timers ?? realTimers,
	});
	askers.set(app, asker);
	return asker;
}

function seenIn(rows: readonly Row[]): SeenEntries | undefined {
	const entries = rows.flatMap(({key, role}) => (key !== undefined && isEntryKey(key) ? [{key, role}] : []));
	if (entries.length === 0) return undefined;
	return {keys: entries.map(({key}) => key), highlighted: entries.find(({role}) => role === 'chosen')?.key};
}

function isSameSeen(one: SeenEntries | undefined, other: SeenEntries | undefined): boolean {
	if (one === undefined || other === undefined) return one === other;
	const isSame = one.keys.length === other.keys.length && one.keys.every((key, index) => key === other.keys[index]);
	return isSame && one.highlighted === other.highlighted;
}

/** Sends the popup's queries to a pod, one at a time. A newer query replaces a query that has not been sent yet. */
type Asker = {
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

function createAsker({client, answered, timers}: AskerOptions): Asker {
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

/** While the pod builds its index, the query is repeated after this number of milliseconds. */
const indexPause = 150;

function failed(query: CompletionQuery, error: unknown): Completions {
	const reason = error instanceof Error ? error.message : String(error);
	return {query, matches: [], indexing: false, note: completionFailed(reason)};
}
