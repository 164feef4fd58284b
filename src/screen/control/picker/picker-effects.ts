import type {TextHit} from '../../../pod/protocol.ts';
import type {EntryFacts, PickerEntry, PreviewPart} from '../../model/picker/text-search.ts';
import {createLazyFacts} from './change-effects.ts';
import {createTextSearch} from '../../model/picker/text-search.ts';
import {
	queryText,
	selectedEntry,
	untitledEntries,
	visibleEntries,
	type LiveStates,
	type PickerAction,
	type PickerState,
} from '../../model/picker/picker-state.ts';
import {chordOf, type Keymap} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {fieldEditOf} from '../../model/field-state.ts';

/** The services that read the sessions on disk. */
export type PickerServices = {
	/** Lists all sessions when the user asks for all directories. Never rejects. */
	readonly listAll: () => Promise<AllListed>;
	/**
	Reads a few short texts of a session. When you select another session, the read is aborted and its result is
	discarded. Never rejects.
	*/
	readonly preview: (entry: PickerEntry, signal: AbortSignal) => Promise<readonly PreviewPart[]>;
	readonly readLive: ReadLive;
	/** Reads the facts of a session whose stored facts are outdated. Never rejects. */
	readonly readFacts: (entry: PickerEntry, signal: AbortSignal) => Promise<EntryFacts>;
	/** Returns the first place in a session that contains `text`. Never rejects. */
	readonly findText: (entry: PickerEntry, text: string, signal: AbortSignal) => Promise<TextHit | undefined>;
};

/** Reads the states of open sessions. Never rejects. */
type ReadLive = () => Promise<LiveStates>;

export type AllListed =
	| {readonly ok: true; readonly entries: readonly PickerEntry[]}
	| {readonly ok: false; readonly sentence: string};

export type EffectOptions = PickerServices & {
	readonly dispatch: (action: PickerAction) => void;
	/** Tells whether the screen has room for a preview. */
	readonly hasPreviews: () => boolean;
};

type PickerEffects = {
	/** Loads the data that a state needs and does not contain yet. */
	readonly follow: (state: PickerState) => void;
	/** Cancels all pending requests. */
	readonly stop: () => void;
};

export function createPickerEffects({
	listAll,
	preview,
	readLive,
	readFacts,
	findText,
	dispatch,
	hasPreviews,
}: EffectOptions): PickerEffects {
	const search = createTextSearch({findText, dispatch});
	const previews = createPreviews(preview, (dir, parts) => dispatch({type: 'previewed', dir, parts}));
	const facts = createLazyFacts({readFacts, onRead: (dir, read) => dispatch({type: 'facts read', dir, facts: read})});
	let isListing = false;
	let isStopped = false;
	let lastStates = '[]';
	let hasHeld = false;
	let nextLook: ReturnType<typeof setTimeout> | undefined;
	void look();

	/**
	Reads the states of open sessions. Reads them again after a pause, because sessions may change while the user looks
	at the list.
	*/
	async function look(): Promise<void> {
		const live = await readLive();
		if (isStopped) return;
		const states = JSON.stringify([...live]);
		if (states !== lastStates || hasHeld) dispatch({type: 'live', live});
		lastStates = states;
		nextLook = setTimeout(() => void look(), lookMs);
	}

	async function list(): Promise<void> {
		isListing = true;
		const listed = await listAll();
		isListing = false;
		if (isStopped) return;
		if (listed.ok) dispatch({type: 'listed', scope: 'all', entries: listed.entries});
		else dispatch({type: 'unlisted', sentence: listed.sentence});
	}

	return {
		follow(state) {
			if (isStopped) return;
			hasHeld = [...state.facts.values()].some(({isHeld}) => isHeld === true);
			facts.want(visibleEntries(state).filter(entry => needsFacts(entry, state)));
			previews.want(hasPreviews() ? unseen(state) : undefined);
			if (state.scope !== 'here' && state.lists.all === undefined && !isListing) void list();
			const {scope} = state;
			const isListed = state.lists[scope] !== undefined;
			const entries = isListed ? () => untitledEntries(state) ?? [] : undefined;
			search.want({text: queryText(state), scope, entries});
		},
		stop() {
			isStopped = true;
			clearTimeout(nextLook);
			search.want({text: '', scope: 'here', entries: undefined});
			facts.want([]);
			previews.want(undefined);
		},
	};
}

export type PickerCommand =
	| 'choose'
	| 'leave'
	| 'interrupt'
	| 'redraw'
	| 'suspend'
	| 'remove'
	| 'restore'
	| 'pin'
	| 'fork'
	| 'export';

/**
Returns what a key does. Keys of the picker have priority, and other keys edit the query. Returns `undefined` for a key
that does nothing.
*/
export function classifyDraft(key: Key, keymap: Keymap): PickerKey | undefined {
	const own = chords[chordOf(key)];
	if (own !== undefined) return own;
	if (keymap.action(key) === 'suspend') return {type: 'command', command: 'suspend'};
	const edit = fieldEditOf(key, keymap);
	return edit && {type: 'edit', edit};
}

function needsFacts({dir, factsAreOld, problem}: PickerEntry, {facts}: PickerState): boolean {
	const known = facts.get(dir);
	return problem === undefined && (known === undefined ? factsAreOld === true : known.areOld === true);
}

/** Returns the selected session if its preview was not read yet. */
function unseen(state: PickerState): PickerEntry | undefined {
	const entry = selectedEntry(state);
	return entry === undefined || entry.problem !== undefined || state.previews.has(entry.dir) ? undefined : entry;
}

type Previews = {readonly want: (entry: PickerEntry | undefined) => void};

/**
Reads the preview of one session at a time, after the selection has stayed on that session for a moment. So moving
quickly through the list reads no files.
*/
function createPreviews(
	preview: PickerServices['preview'],
	onSeen: (dir: string, parts: readonly PreviewPart[]) => void,
): Previews {
	let current: {readonly dir: string; readonly stop: () => void} | undefined;

	async function read(entry: PickerEntry, signal: AbortSignal): Promise<void> {
		const parts = await preview(entry, signal);
		if (!signal.aborted) onSeen(entry.dir, parts);
	}

	return {
		want(entry) {
			if (entry?.dir === current?.dir) return;
			current?.stop();
			current = undefined;
			if (entry === undefined) return;
			const controller = new AbortController();
			const timer = setTimeout(() => void read(entry, controller.signal), restMs);
			const stop = () => {
				clearTimeout(timer);
				controller.abort();
			};
			current = {dir: entry.dir, stop};
		},
	};
}

/** The preview is read after the selection has stayed on a session for this number of milliseconds. */
const restMs = 60;

/** The number of milliseconds between two reads of the states of open sessions. */
const lookMs = 2000;

/** The effect of a key in the picker: a change of the picker's state, or a command for the screen. */
type PickerKey = PickerAction | {readonly type: 'command'; readonly command: PickerCommand};

const chords: Readonly<Record<string, PickerKey>> = {
	enter: {type: 'command', command: 'choose'},
	escape: {type: 'command', command: 'leave'},
	'ctrl+d': {type: 'command', command: 'leave'},
	'ctrl+c': {type: 'command', command: 'interrupt'},
	'ctrl+l': {type: 'command', command: 'redraw'},
	'ctrl+x': {type: 'command', command: 'remove'},
	'ctrl+r': {type: 'command', command: 'restore'},
	'ctrl+t': {type: 'command', command: 'pin'},
	'ctrl+o': {type: 'command', command: 'fork'},
	'ctrl+s': {type: 'command', command: 'export'},
	tab: {type: 'switch'},
	'shift+tab': {type: 'switch'},
	up: {type: 'move', to: 'up'},
	'ctrl+p': {type: 'move', to: 'up'},
	down: {type: 'move', to: 'down'},
	'ctrl+n': {type: 'move', to: 'down'},
	pageup: {type: 'move', to: 'page up'},
	pagedown: {type: 'move', to: 'page down'},
	home: {type: 'move', to: 'first'},
	'ctrl+home': {type: 'move', to: 'first'},
	end: {type: 'move', to: 'last'},
	'ctrl+end': {type: 'move', to: 'last'},
};
