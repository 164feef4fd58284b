import {sessionStates, type LiveState, type TextHit} from '../../../pod/protocol.ts';
import {createField, editField, fieldText, type Field, type FieldEdit} from '../field-state.ts';
import type {EntryFacts, PickerEntry, PickerScope, PreviewPart} from './text-search.ts';
import {beginExport, editFile, type Exporting} from './text-search.ts';
import {createCatalogue, type Catalogue} from './text-search.ts';
import type {SearchAction} from './text-search.ts';
import {broughtBack, forkedNow, inTrash, pinnedNow, unpinnedNow} from './texts.ts';

/** The immutable state of the picker. */
export type PickerState = {
	readonly scope: PickerScope;
	/** A list is absent until inkpod has loaded it. */
	readonly lists: {readonly [Scope in PickerScope]?: Catalogue};
	/** The sessions whose texts contain the query. */
	readonly hits: Hits;
	readonly query: Field;
	/** The results in order: matching titles, then matching texts, then matching directories. */
	readonly found: readonly PickerEntry[];
	/** The index in `found`, or 0 when nothing was found. */
	readonly selected: number;
	/** The index of the first visible entry. */
	readonly top: number;
	/** The number of entries that the screen shows. */
	readonly height: number;
	/** The states of the sessions that are open in any process, by session id. */
	readonly live: LiveStates;
	/** Whether the sessions that wait for you are at the top. */
	readonly isByNeed: boolean;
	/** The previews that inkpod has read, by session folder. */
	readonly previews: ReadonlyMap<string, readonly PreviewPart[]>;
	/** The facts that inkpod has read again, by session folder. */
	readonly facts: ReadonlyMap<string, EntryFacts>;
	/** The session that was moved to the trash most recently, and its folder in the trash. */
	readonly removed?: RemovedEntry;
	/** The export for which you are choosing the file. */
	readonly exporting?: Exporting;
	/** The notice that is shown until the next key. */
	readonly notice?: Notice;
};

export type Notice = {readonly text: string; readonly tone: 'info' | 'warn'};

type Hits = {
	/** The first hit in each session, by session folder. */
	readonly byDir: ReadonlyMap<string, TextHit>;
	/** The scopes whose sessions have all been searched. */
	readonly done: readonly PickerScope[];
};

type RemovedEntry = {readonly entry: PickerEntry; readonly trash: string};

export type LiveStates = ReadonlyMap<string, LiveState>;

type PickerMove = 'up' | 'down' | 'page up' | 'page down' | 'first' | 'last';

export type PickerAction =
	| {readonly type: 'edit'; readonly edit: FieldEdit}
	| {readonly type: 'move'; readonly to: PickerMove}
	/** Switches to the other scope. The query stays. The selected entry stays if both scopes contain it. */
	| {readonly type: 'switch'}
	| {readonly type: 'listed'; readonly scope: PickerScope; readonly entries: readonly PickerEntry[]}
	| SearchAction
	/** Listing all directories failed, so the picker returns to this directory. */
	| {readonly type: 'unlisted'; readonly sentence: string}
	| {readonly type: 'previewed'; readonly dir: string; readonly parts: readonly PreviewPart[]}
	| {readonly type: 'facts read'; readonly dir: string; readonly facts: EntryFacts}
	| {readonly type: 'live'; readonly live: LiveStates}
	/** A session was moved to the trash, and is removed from the lists. */
	| ({readonly type: 'removed'} & RemovedEntry)
	/** The session that was removed most recently was restored from the trash. */
	| {readonly type: 'restored'; readonly entry: PickerEntry}
	| {readonly type: 'pinned'; readonly dir: string; readonly isPinned: boolean}
	/** A fork was saved on disk. The lists show it before its original. */
	| {
			readonly type: 'forked';
			readonly original: PickerEntry;
			readonly entry: PickerEntry;
			readonly warnings: readonly string[];
	  }
	/**
	Opens the field for the file of an export. Until the export is written or cancelled, edits change the file's name.
	*/
	| {readonly type: 'exporting'; readonly entry: PickerEntry}
	| {readonly type: 'not exporting'}
	/** The file for the export exists already. */
	| {readonly type: 'occupied'; readonly file: string; readonly sentence: string}
	| {readonly type: 'exported'; readonly sentence: string}
	| {readonly type: 'told'; readonly sentence: string}
	| {readonly type: 'height'; readonly height: number};

/**
Returns the initial state. The picker opens with the sessions of this directory, or with all sessions if this directory
has none.
*/
export function createPicker(
	lists: {readonly here: readonly PickerEntry[]; readonly all?: readonly PickerEntry[]},
	height: number,
	isByNeed = false,
): PickerState {
	const here = createCatalogue(lists.here);
	const all = lists.all === undefined ? undefined : createCatalogue(lists.all);
	const [scope, {entries: found}]: [PickerScope, Catalogue] =
		all !== undefined && lists.here.length === 0 ? ['all', all] : ['here', here];
	return {
		scope,
		lists: {here, all},
		hits: noHits,
		found,
		query: createField(),
		selected: 0,
		top: 0,
		height,
		live: new Map(),
		isByNeed,
		previews: new Map(),
		facts: new Map(),
	};
}

/** Applies an action and returns the next state. */
export function pick<Type extends PickerAction['type']>(state: PickerState, action: PickedOf<Type>): PickerState {
	const type: Type = action.type;
	return withinView(handlers[type](state, action));
}

/** Returns the text of the query. */
export function queryText({query}: PickerState): string {
	return fieldText(query);
}

export function selectedEntry({found, selected}: PickerState): PickerEntry | undefined {
	return found[selected];
}

/**
Returns the sessions of the scope whose texts must be searched, because their titles do not match the query. Returns
`undefined` until the sessions are listed.
*/
export function untitledEntries(state: PickerState): readonly PickerEntry[] | undefined {
	const list = state.lists[state.scope];
	if (list === undefined) return undefined;
	const titled = new Set(list.find(queryText(state)).titled);
	return list.entries.filter(entry => !titled.has(entry));
}

/** Tells whether the search in the texts of the scope is still running. */
export function isSearching(state: PickerState): boolean {
	return queryText(state).trim() !== '' && !state.hits.done.includes(state.scope);
}

/** Returns the entries that the screen shows. */
export function visibleEntries({found, top, height}: PickerState): readonly PickerEntry[] {
	return found.slice(top, top + height);
}

type PickedOf<Type extends PickerAction['type']> = {
	readonly [Each in Type]: Extract<PickerAction, {readonly type: Each}> & {readonly type: Each};
}[Type];

type Handlers = {
	readonly [Type in PickerAction['type']]: (state: PickerState, action: PickedOf<Type>) => PickerState;
};

const handlers: Handlers = {
	edit(state, {edit: wanted}) {
		if (state.exporting !== undefined) return {...calm(state), exporting: editFile(state.exporting, wanted)};
		const query = editField(state.query, wanted, queryLimit);
		const text = fieldText(query);
		if (text === queryText(state)) return {...calm(state), query};
		const next = {...calm(state), query, hits: noHits, selected: 0, top: 0};
		return {...next, found: find(next, text)};
	},
	move: (state, {to}) => (state.exporting ? state : {...calm(state), selected: moves[to](state)}),
	switch: state => (state.exporting ? state : shown(calm(state), otherScope[state.scope])),
	listed(state, {scope, entries}) {
		const listed = {...state, lists: {...state.lists, [scope]: createCatalogue(entries)}};
		return scope === state.scope ? shown(listed, scope) : listed;
	},
	hit(state, {query, dir, hit}) {
		if (query !== queryText(state)) return state;
		const hits = {...state.hits, byDir: new Map([...state.hits.byDir, [dir, hit]])};
		const next = {...shown({...state, hits}, state.scope), top: state.top};
		// Hits come before the directories. The first entry stays selected until you select another one.
		return state.selected === 0 ? {...next, selected: 0} : next;
	},
	searched(state, {query, scope}) {
		if (query !== queryText(state)) return state;
		return {...state, hits: {...state.hits, done: [...state.hits.done, scope]}};
	},
	unlisted: (state, {sentence}) => ({...shown(state, 'here'), notice: warning(sentence)}),
	previewed: (state, {dir, parts}) => ({
		...state,
		previews: new Map([...[...state.previews].slice(1 - keptPreviews), [dir, parts]]),
	}),
	'facts read': (state, {dir, facts}) => ({...state, facts: new Map([...state.facts, [dir, facts]])}),
	live(state, {live}) {
		const renewed = withOldFacts(state, live);
		const next = {...shown({...renewed, live}, state.scope), top: state.top};
		// When the first live states arrive, you have not selected anything yet, so the first entry stays selected.
		const isFirst = state.isByNeed && state.live.size === 0 && state.selected === 0;
		return isFirst ? {...next, selected: 0} : next;
	},
	removed(state, {entry, trash}) {
		const lists = mapLists(state, entries => entries.filter(({dir}) => dir !== entry.dir));
		const next = {...calm(state), lists, removed: {entry, trash}, notice: info(inTrash)};
		return {...next, found: find(next, queryText(next))};
	},
	restored(state, {entry}) {
		const {removed: _, ...rest} = calm(state);
		const lists = mapLists(rest, entries => [entry, ...entries].toSorted(lastChangedFirst));
		return shown({...rest, lists, notice: info(broughtBack)}, state.scope);
	},
	pinned(state, {dir, isPinned}) {
		const lists = mapLists(state, entries =>
			entries.map(entry => (entry.dir === dir ? withPin(entry, isPinned) : entry)).toSorted(lastChangedFirst),
		);
		return shown({...calm(state), lists, notice: info(isPinned ? pinnedNow : unpinnedNow)}, state.scope);
	},
	forked(state, {original, entry, warnings}) {
		const lists = mapLists(state, entries => withFork(entries, original, entry));
		const hit = state.hits.byDir.get(original.dir);
		const byDir = hit === undefined ? state.hits.byDir : new Map([...state.hits.byDir, [entry.dir, hit]]);
		const hits = {...state.hits, byDir};
		const notice = warnings.length === 0 ? info(forkedNow) : warning([forkedNow, ...warnings].join(' '));
		return selectingDir({...shown({...calm(state), lists, hits}, state.scope), notice}, entry.dir);
	},
	exporting: (state, {entry}) => ({...calm(state), exporting: beginExport(entry)}),
	'not exporting': state => notExporting(calm(state)),
	occupied: (state, {file, sentence}) =>
		state.exporting === undefined
			? state
			: {...state, exporting: {...state.exporting, replaces: file}, notice: warning(sentence)},
	exported: (state, {sentence}) => ({...notExporting(state), notice: info(sentence)}),
	told: (state, {sentence}) => ({...state, notice: warning(sentence)}),
	height: (state, {height}) => ({...state, height}),
};

/** The scope that Tab switches to. */
export const otherScope = {here: 'all', all: 'here'} as const;

const noHits: Hits = {byDir: new Map(), done: []};

const moves: {readonly [Name in PickerMove]: (state: PickerState) => number} = {
	up: ({selected}) => selected - 1,
	down: ({selected}) => selected + 1,
	'page up': ({selected, height}) => selected - Math.max(1, height - 1),
	'page down': ({selected, height}) => selected + Math.max(1, height - 1),
	first: () => 0,
	last: ({found}) => found.length - 1,
};

/** Shows the entries of a scope. The selected entry stays selected if it is among them. */
function shown(state: PickerState, scope: PickerScope): PickerState {
	const kept = selectedEntry(state)?.dir;
	const found = find({...state, scope}, queryText(state));
	return {
		...state,
		scope,
		found,
		selected: Math.max(
			0,
			found.findIndex(({dir}) => dir === kept),
		),
		top: 0,
	};
}

function find(
	{scope, lists, hits, live, isByNeed}: Pick<PickerState, 'scope' | 'lists' | 'hits' | 'live' | 'isByNeed'>,
	query: string,
): readonly PickerEntry[] {
	const list = lists[scope];
	if (list === undefined) return [];
	const {titled, placed} = list.find(query);
	const shown = new Set(titled);
	const withHits = list.entries.flatMap(entry => {
		const hit = shown.has(entry) ? undefined : hits.byDir.get(entry.dir);
		return hit === undefined ? [] : [{...entry, hit}];
	});
	const rank = ({id}: PickerEntry) => sessionStates.indexOf(live.get(id) ?? 'ended');
	const first = isByNeed && live.size > 0 ? titled.toSorted((one, other) => rank(one) - rank(other)) : titled;
	return [...first, ...withHits, ...placed.filter(({dir}) => !hits.byDir.has(dir))];
}

function mapLists(
	{lists}: Pick<PickerState, 'lists'>,
	change: (entries: readonly PickerEntry[]) => readonly PickerEntry[],
): PickerState['lists'] {
	const {here, all} = lists;
	return {
		...(here && {here: createCatalogue(change(here.entries))}),
		...(all && {all: createCatalogue(change(all.entries))}),
	};
}

/** Adds a fork before its original if the original is in the list. */
function withFork(entries: readonly PickerEntry[], original: PickerEntry, fork: PickerEntry): readonly PickerEntry[] {
	return entries.flatMap(entry => (entry.dir === original.dir ? [fork, entry] : [entry]));
}

/** Marks the facts of sessions as outdated if a process had the session open and no process has it open now. */
function withOldFacts(state: PickerState, live: LiveStates): PickerState {
	const gone = new Set([...state.live.keys()].filter(id => !live.has(id)));
	const wasHeld = ({id, dir}: PickerEntry) => state.facts.get(dir)?.isHeld === true && !live.has(id);
	const known = [...(state.lists.here?.entries ?? []), ...(state.lists.all?.entries ?? [])];
	const old = known.filter(entry => gone.has(entry.id) || wasHeld(entry));
	if (old.length === 0) return state;
	const marked = old.map(({dir}) => [dir, {...state.facts.get(dir), areOld: true}] as const);
	return {...state, facts: new Map([...state.facts, ...marked])};
}

function selectingDir(state: PickerState, dir: string): PickerState {
	const index = state.found.findIndex(entry => entry.dir === dir);
	return index === -1 ? state : {...state, selected: index};
}

function notExporting(state: PickerState): PickerState {
	const {exporting: _, ...rest} = state;
	return rest;
}

function info(text: string): Notice {
	return {text, tone: 'info'};
}

function warning(text: string): Notice {
	return {text, tone: 'warn'};
}

function withPin(entry: PickerEntry, isPinned: boolean): PickerEntry {
	const {pinned: _, ...rest} = entry;
	return isPinned ? {...rest, pinned: true} : rest;
}

function lastChangedFirst(one: PickerEntry, other: PickerEntry): number {
	return one.changed < other.changed ? 1 : -1;
}

function calm(state: PickerState): PickerState {
	const {notice: _, ...rest} = state;
	return rest;
}

function withinView(state: PickerState): PickerState {
	const selected = Math.max(0, Math.min(state.selected, state.found.length - 1));
	const last = Math.max(0, state.found.length - state.height);
	const top = Math.max(0, Math.min(state.top, selected, last), selected - state.height + 1);
	return {...state, selected, top};
}

/** The maximum number of graphemes in a query. */
const queryLimit = 200;
const keptPreviews = 50;
