import {createEditor, edit, type EditAction, type Editor} from '../composer/editor.ts';
import type {PickerEntry, PickerScope, PreviewPart} from './entry.ts';
import {createCatalogue, type Catalogue} from './search.ts';

/** Everything that the picker shows. Immutable: each action makes the next one. */
export type PickerState = {
	readonly scope: PickerScope;
	/** Absent: not known yet. */
	readonly lists: {readonly [Scope in PickerScope]?: Catalogue};
	/** One line. */
	readonly query: Editor;
	readonly found: readonly PickerEntry[];
	/** Index in `found`; 0 when nothing was found. */
	readonly selected: number;
	/** The first entry on the screen. */
	readonly top: number;
	/** How many entries the screen holds. */
	readonly height: number;
	/** Of the sessions that were looked into, by their folder. */
	readonly previews: ReadonlyMap<string, readonly PreviewPart[]>;
	/** What is to be told until the next key. */
	readonly notice?: string;
};

export type PickerMove = 'up' | 'down' | 'page up' | 'page down' | 'first' | 'last';

export type PickerAction =
	| {readonly type: 'edit'; readonly edit: EditAction}
	| {readonly type: 'move'; readonly to: PickerMove}
	/** To the other scope; the query and, where it is there too, the selected entry stay. */
	| {readonly type: 'switch'}
	| {readonly type: 'listed'; readonly scope: PickerScope; readonly entries: readonly PickerEntry[]}
	/** The entries of all directories could not be listed: back to those of this one. */
	| {readonly type: 'unlisted'; readonly sentence: string}
	| {readonly type: 'previewed'; readonly dir: string; readonly parts: readonly PreviewPart[]}
	| {readonly type: 'told'; readonly sentence: string}
	| {readonly type: 'height'; readonly height: number};

/** Opens with the sessions of this directory, or with those of all when there are none of this one. */
export function createPicker(lists: {readonly here: readonly PickerEntry[]; readonly all?: readonly PickerEntry[]}, height: number): PickerState {
	const here = createCatalogue(lists.here);
	const all = lists.all === undefined ? undefined : createCatalogue(lists.all);
	const scope = lists.here.length === 0 && all !== undefined ? 'all' : 'here';
	const found = (scope === 'all' ? all! : here).entries;
	return {scope, lists: {here, ...(all && {all})}, query: createEditor(), found, selected: 0, top: 0, height, previews: new Map()};
}

/** The next state. */
export function pick(state: PickerState, action: PickerAction): PickerState {
	return withinView(handlers[action.type](state, action as never));
}

/** The query as it is written. */
export function queryText({query}: PickerState): string {
	return textOf(query);
}

/** The query up to the caret. */
export function queryBeforeCaret({query}: PickerState): string {
	return textOf(query, query.cursor.column);
}

export function selectedEntry({found, selected}: PickerState): PickerEntry | undefined {
	return found[selected];
}

type Handlers = {readonly [Type in PickerAction['type']]: (state: PickerState, action: Extract<PickerAction, {type: Type}>) => PickerState};

const handlers: Handlers = {
	edit(state, {edit: wanted}) {
		const query = edit(state.query, onOneLine(wanted, state.query));
		const isSame = textOf(query) === queryText(state);
		return isSame ? {...calm(state), query} : {...calm(state), query, found: find(state, textOf(query)), selected: 0, top: 0};
	},
	move: (state, {to}) => ({...calm(state), selected: moves[to](state)}),
	switch: state => shown(calm(state), state.scope === 'here' ? 'all' : 'here'),
	listed(state, {scope, entries}) {
		const listed = {...state, lists: {...state.lists, [scope]: createCatalogue(entries)}};
		return scope === state.scope ? shown(listed, scope) : listed;
	},
	unlisted: (state, {sentence}) => ({...shown(state, 'here'), notice: sentence}),
	previewed: (state, {dir, parts}) => ({...state, previews: new Map([...[...state.previews].slice(1 - keptPreviews), [dir, parts]])}),
	told: (state, {sentence}) => ({...state, notice: sentence}),
	height: (state, {height}) => ({...state, height}),
};

const moves: {readonly [Name in PickerMove]: (state: PickerState) => number} = {
	up: ({selected}) => selected - 1,
	down: ({selected}) => selected + 1,
	'page up': ({selected, height}) => selected - Math.max(1, height - 1),
	'page down': ({selected, height}) => selected + Math.max(1, height - 1),
	first: () => 0,
	last: ({found}) => found.length - 1,
};

/** Shows a scope's entries; the entry that was selected stays so where it is among them. */
function shown(state: PickerState, scope: PickerScope): PickerState {
	const kept = selectedEntry(state)?.dir;
	const found = find({...state, scope}, queryText(state));
	return {...state, scope, found, selected: Math.max(0, found.findIndex(({dir}) => dir === kept)), top: 0};
}

function find({scope, lists}: Pick<PickerState, 'scope' | 'lists'>, query: string): readonly PickerEntry[] {
	return lists[scope]?.find(query) ?? [];
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

/** What is inserted has its white space folded and its end cut off, so that the query stays one short line. */
function onOneLine(wanted: EditAction, {draft}: Editor): EditAction {
	if (wanted.type !== 'insert' && wanted.type !== 'paste') return wanted;
	const room = Math.max(0, queryLimit - draft[0]!.length);
	const text = Array.from(wanted.text.slice(0, queryLimit * 8).replaceAll(/\s+/gu, ' ')).slice(0, room).join('');
	return {type: 'insert', text};
}

function textOf({draft}: Editor, end?: number): string {
	return draft[0]!.slice(0, end).filter(atom => typeof atom === 'string').join('');
}

/** Characters of a query: what is longer is no search. */
const queryLimit = 200;
const keptPreviews = 50;
