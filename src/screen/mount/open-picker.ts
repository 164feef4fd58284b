import {pictureOfRows} from './view.ts';
import {createFullScreenOf} from './full-screen.ts';
import {holdScreen} from './hold-screen.ts';
import type {CreateView, Views} from './view.ts';
import type {Keymap} from '../model/keys/keymap.ts';
import type {Key} from '../terminal/input/input.ts';
import type {ScreenStreams} from '../terminal/compositor/compositor.ts';
import type {Theme} from '../spans/theme.ts';
import type {PickerEntry} from '../model/picker/text-search.ts';
import type {FoundText} from '../model/search/search-state.ts';
import {createChanges, type ChangeServices} from '../control/picker/change-effects.ts';
import {type PickerServices, createPickerEffects, type EffectOptions} from '../control/picker/picker-effects.ts';
import {classifyDraft, type PickerCommand} from '../control/picker/picker-effects.ts';
import {
	createPicker,
	queryText,
	selectedEntry,
	pick,
	type PickerAction,
	type PickerState,
} from '../model/picker/picker-state.ts';
import {listHeightOf, pickerRows, share, viewPicker, type PickerView} from '../view/picker/picker-view.ts';
import {createStore} from 'zustand/vanilla';

export type PickerOptions = ScreenStreams &
	PickerServices &
	ChangeServices & {
		readonly view: CreateView<PickerView>;
		readonly keymap: Keymap;
		readonly theme: Theme;
		/** Whether the picker is rendered inline, below the contents of the terminal. */
		readonly inline?: boolean;
		/** Whether the picker is for a screen reader. */
		readonly isSpoken?: boolean;
		/** Your home directory, which is shown as `~`. */
		readonly home?: string | undefined;
		/** The sessions of this directory and, if known, all sessions. The last changed session comes first. */
		readonly lists: {readonly here: readonly PickerEntry[]; readonly all?: readonly PickerEntry[]};
		/** Whether the sessions that wait for you are at the top. */
		readonly isByNeed?: boolean;
		/** The initial query. */
		readonly typed?: string;
	};

/** The views of the picker. The components of the full screen are loaded after its first picture. */
export const pickerViews: Views<PickerView> = {
	full: (painter, options) =>
		createFullScreenOf(painter, options, {
			picture: (frame, theme) => pictureOfRows(pickerRows(frame), frame, theme),
			load: async () => (await import('./show-picker.ts')).mountPicker,
		}),
	inline: async () => (await import('./show-picker.ts')).createInlinePicker,
	spoken: async () => (await import('./show-picker.ts')).createSpokenPicker,
};

/** `found`: the text that the search found in the session. Absent if the session was found in another way. */
export type PickerResult = {readonly picked: PickerEntry; readonly found?: FoundText} | {readonly left: LeftBy};

/** The way in which the picker was closed without a choice: Esc or Ctrl+D, Ctrl+C, or a signal. */
export type LeftBy = 'key' | 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
Shows the picker until you choose a session or leave the picker. It then restores the terminal, so that another screen
can open. Rejects with the error if a component fails.
*/
export async function openPicker(options: PickerOptions): Promise<PickerResult> {
	const {keymap, lists, home, isSpoken = false, isByNeed = false, typed = ''} = options;
	let result: PickerResult = {left: 'key'};
	const screen = holdScreen<PickerView>({
		...options,
		draw(size) {
			const height = listHeightOf(store.state, size, isSpoken);
			if (height !== store.state.height) store.dispatch({type: 'height', height});
			return viewPicker(store.state, size, {now: Date.now(), home, isSpoken});
		},
		onLeave: () => store.stop(),
	});
	const end = (ended: PickerResult) => {
		result = ended;
		screen.close('picked' in ended);
	};
	const leave = (left: LeftBy) => end({left});
	const store = createPickerStore(createPicker(lists, share(screen.size()).list, isByNeed), {
		listAll: options.listAll,
		preview: options.preview,
		readLive: options.readLive,
		readFacts: options.readFacts,
		findText: options.findText,
		hasPreviews: () => share(screen.size()).preview > 0,
		onChange: ({type}) => screen.ask(type === 'hit' ? 'soon' : 'now'),
	});
	if (typed !== '') store.dispatch({type: 'edit', edit: {type: 'insert', text: typed}});
	const changes = createChanges(store, options);
	const commands: Readonly<Record<PickerCommand, () => void>> = {
		choose() {
			const entry = selectedEntry(store.state);
			if (store.state.exporting !== undefined) void changes.write();
			else if (entry?.problem !== undefined) store.dispatch({type: 'told', sentence: entry.problem});
			else if (entry !== undefined) end({picked: entry, ...foundIn(store.state, entry)});
		},
		leave: () => (store.state.exporting === undefined ? leave('key') : store.dispatch({type: 'not exporting'})),
		interrupt: () => leave('SIGINT'),
		remove: () => void changes.remove(),
		restore: () => void changes.restore(),
		pin: () => void changes.pin(),
		fork: () => void changes.fork(),
		export: () => void changes.export(),
		redraw: screen.redraw,
		suspend: screen.suspend,
	};
	const onKey = (key: Key) => {
		const meaning = classifyDraft(key, keymap);
		if (meaning?.type === 'command') commands[meaning.command]();
		else if (meaning !== undefined) store.dispatch(meaning);
	};
	const onPaste = (text: string) => store.dispatch({type: 'edit', edit: {type: 'paste', text}});
	// The listeners must be added before the first frame. Without listeners, a signal would end the process without
	// restoring the terminal.
	const unhear = onSignals(leave);
	screen.open({onKey, onPaste, onEnd: () => leave('SIGHUP')});
	try {
		await screen.closed;
	} finally {
		unhear();
	}
	return result;
}

/**
Returns the text that the search found, in lower case. The search in a session ignores case only if its query has no
capital letter.
*/
function foundIn(state: PickerState, {hit}: PickerEntry): {readonly found?: FoundText} {
	return hit === undefined ? {} : {found: {text: queryText(state).trim().toLowerCase(), item: hit.item}};
}

/** Listens for the signals that end a program. The returned function removes the listeners. */
function onSignals(leave: (left: LeftBy) => void): () => void {
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
	const listeners = signals.map(signal => [signal, () => leave(signal)] as const);
	for (const [signal, listener] of listeners) process.on(signal, listener);
	return () => {
		for (const [signal, listener] of listeners) process.off(signal, listener);
	};
}

/** The store of the picker's state. Only `dispatch` changes it. */
type PickerStore = {
	readonly state: PickerState;
	readonly dispatch: (action: PickerAction) => void;
	/** Cancels all pending work. */
	readonly stop: () => void;
};

type PickerStoreOptions = Omit<EffectOptions, 'dispatch'> & {
	readonly onChange: (action: PickerAction) => void;
};

function createPickerStore(first: PickerState, {onChange, ...services}: PickerStoreOptions): PickerStore {
	const store = createStore<PickerState>(() => first);
	const effects = createPickerEffects({...services, dispatch});
	effects.follow(first);

	function dispatch(action: PickerAction): void {
		store.setState(pick(store.getState(), action), true);
		effects.follow(store.getState());
		onChange(action);
	}

	return {
		get state() {
			return store.getState();
		},
		dispatch,
		stop: () => effects.stop(),
	};
}
