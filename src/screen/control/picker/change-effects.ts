import type {PickerEntry, EntryFacts} from '../../model/picker/text-search.ts';
import {fileOf} from '../../model/picker/text-search.ts';
import {selectedEntry, type PickerAction, type PickerState} from '../../model/picker/picker-state.ts';
import {nothingRemoved, replaceFile} from '../../model/picker/texts.ts';

/** The services that change sessions or write files. They never reject. */
export type ChangeServices = {
	readonly remove: (entry: PickerEntry) => Promise<Moved>;
	readonly restore: (trash: string) => Promise<Moved>;
	/** Pins a session, or unpins it. Resolves with a sentence if the session cannot be changed. */
	readonly pin: (entry: PickerEntry, isPinned: boolean) => Promise<string | undefined>;
	/** Creates a session that begins as a copy of this one. */
	readonly fork: (entry: PickerEntry) => Promise<ForkedEntry>;
	/** Exports a session without its secrets. The extension of the file name determines the format. */
	readonly exportTo: (entry: PickerEntry, file: string, isReplacing: boolean) => Promise<Exported>;
};

type Moved = {readonly ok: true; readonly dir: string} | {readonly ok: false; readonly sentence: string};

/** The result of a fork. `warnings` name the parts that could not be copied. */
export type ForkedEntry =
	| {readonly ok: true; readonly entry: PickerEntry; readonly warnings: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

/**
The result of an export. `sentence` says what was written and what was left out, or why nothing was written. `exists`:
the file exists already.
*/
type Exported = {readonly ok: boolean; readonly sentence: string; readonly exists?: true};

type ChangeCommand = 'remove' | 'restore' | 'pin' | 'fork' | 'export' | 'write';

/**
The commands that change sessions. Only one command runs at a time. While a command runs, the keys of other commands
have no effect.
*/
type PickerChanges = Readonly<Record<ChangeCommand, () => Promise<void>>>;

type Store = {readonly state: PickerState; readonly dispatch: (action: PickerAction) => void};

export function createChanges(store: Store, services: ChangeServices): PickerChanges {
	let isBusy = false;
	const alone = (change: Change) => async () => {
		if (isBusy) return;
		isBusy = true;
		await change(store, services).finally(() => {
			isBusy = false;
		});
	};
	const outside = (change: Change) =>
		alone(async () => (store.state.exporting === undefined ? change(store, services) : undefined));
	return {
		remove: outside(remove),
		restore: outside(restore),
		pin: outside(pin),
		fork: outside(fork),
		export: outside(askForFile),
		write: alone(write),
	};
}

/**
Reads the facts of the visible sessions, one after another, after a short delay. So the cost does not grow with the
number of sessions in the list.
*/
export function createLazyFacts({readFacts, onRead}: LazyFactsOptions): LazyFacts {
	let wanted: readonly PickerEntry[] = [];
	let current: {readonly dir: string; readonly controller: AbortController} | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;

	async function next(): Promise<void> {
		timer = undefined;
		const [entry] = wanted;
		if (entry === undefined) return;
		const controller = new AbortController();
		current = {dir: entry.dir, controller};
		const facts = await readFacts(entry, controller.signal);
		current = undefined;
		if (!controller.signal.aborted) {
			wanted = wanted.filter(({dir}) => dir !== entry.dir);
			onRead(entry.dir, facts);
		}
		if (wanted.length > 0 && timer === undefined) timer = setTimeout(() => void next(), 0);
	}

	return {
		want(entries) {
			wanted = entries;
			if (current !== undefined && !entries.some(({dir}) => dir === current?.dir)) current.controller.abort();
			if (entries.length > 0 && current === undefined && timer === undefined)
				timer = setTimeout(() => void next(), restMs);
			if (entries.length === 0) clearTimeout(timer);
			if (entries.length === 0) timer = undefined;
		},
	};
}

type Change = (store: Store, services: ChangeServices) => Promise<void>;

async function remove({state, dispatch}: Store, {remove: move}: ChangeServices): Promise<void> {
	const entry = selectedEntry(state);
	if (entry === undefined) return;
	const moved = await move(entry);
	dispatch(moved.ok ? {type: 'removed', entry, trash: moved.dir} : {type: 'told', sentence: moved.sentence});
}

async function restore({state, dispatch}: Store, {restore: move}: ChangeServices): Promise<void> {
	const {removed} = state;
	if (removed === undefined) return dispatch({type: 'told', sentence: nothingRemoved});
	const moved = await move(removed.trash);
	dispatch(moved.ok ? {type: 'restored', entry: removed.entry} : {type: 'told', sentence: moved.sentence});
}

async function pin({state, dispatch}: Store, {pin: change}: ChangeServices): Promise<void> {
	const entry = selectedEntry(state);
	if (entry === undefined) return;
	const isPinned = entry.pinned !== true;
	const sentence = await change(entry, isPinned);
	dispatch(sentence === undefined ? {type: 'pinned', dir: entry.dir, isPinned} : {type: 'told', sentence});
}

async function fork({state, dispatch}: Store, {fork: copy}: ChangeServices): Promise<void> {
	const original = selectedEntry(state);
	if (original === undefined) return;
	const forked = await copy(original);
	if (!forked.ok) return dispatch({type: 'told', sentence: forked.sentence});
	dispatch({type: 'forked', original, entry: forked.entry, warnings: forked.warnings});
}

async function askForFile({state, dispatch}: Store): Promise<void> {
	const entry = selectedEntry(state);
	if (entry !== undefined) dispatch({type: 'exporting', entry});
}

async function write({state, dispatch}: Store, {exportTo}: ChangeServices): Promise<void> {
	const {exporting} = state;
	if (exporting === undefined) return;
	const file = fileOf(exporting);
	const {ok, sentence, exists} = await exportTo(exporting.entry, file, exporting.replaces === file);
	if (ok) dispatch({type: 'exported', sentence});
	else if (exists === true) dispatch({type: 'occupied', file, sentence: replaceFile(file)});
	else dispatch({type: 'told', sentence});
}

type LazyFactsOptions = {
	/** Reads the facts of a session whose stored facts are outdated. Never rejects. */
	readonly readFacts: (entry: PickerEntry, signal: AbortSignal) => Promise<EntryFacts>;
	readonly onRead: (dir: string, facts: EntryFacts) => void;
};

type LazyFacts = {
	/**
	Sets the sessions that the screen shows, because their facts are needed. Reads for other sessions are cancelled.
	*/
	readonly want: (entries: readonly PickerEntry[]) => void;
};

/** The number of milliseconds before the first read, so that the list is drawn before it. */
const restMs = 60;
