import {pictureOfRows} from '../screen/first-picture.ts';
import {createFullScreenOf} from '../screen/full-screen.ts';
import {holdScreen} from '../screen/hold-screen.ts';
import type {CreateView, Views} from '../screen/view.ts';
import type {Keymap} from '../keymap.ts';
import type {Key} from '../terminal/input/input.ts';
import type {ScreenStreams} from '../terminal/compositor/painter.ts';
import type {Theme} from '../text/theme.ts';
import type {PickerEntry} from './entry.ts';
import type {PickerServices, TrashServices} from './picker-effects.ts';
import {meaningOf, type PickerCommand} from './picker-keys.ts';
import {createPicker, selectedEntry} from './picker-state.ts';
import {createPickerStore, type PickerStore} from './picker-store.ts';
import {pickerRows, share, viewPicker, type PickerView} from './picker-view.ts';
import {nothingRemoved} from './texts.ts';

export type PickerOptions = ScreenStreams &
	PickerServices &
	TrashServices & {
		readonly view: CreateView<PickerView>;
		readonly keymap: Keymap;
		readonly theme: Theme;
		/** Renders inline, below the contents of the terminal. */
		readonly inline?: boolean;
		/** Uses the screen reader mode. */
		readonly isSpoken?: boolean;
		/** Your home directory, which is shown as `~`. */
		readonly home?: string | undefined;
		/** The sessions of this directory and, if known, all sessions. The last changed session comes first. */
		readonly lists: {readonly here: readonly PickerEntry[]; readonly all?: readonly PickerEntry[]};
		/** Lists the sessions that need you first. */
		readonly isByNeed?: boolean;
		/** The initial query. */
		readonly typed?: string;
	};

/** The views of the picker. Their components are loaded after the first picture. */
export const pickerViews: Views<PickerView> = {
	full: (painter, options) =>
		createFullScreenOf(painter, options, {
			picture: (frame, theme) => pictureOfRows(pickerRows(frame), frame, theme),
			load: async () => (await import('./show-picker.ts')).mountPicker,
		}),
	inline: async () => (await import('./show-picker.ts')).createInlinePicker,
	spoken: async () => (await import('./show-picker.ts')).createSpokenPicker,
};

export type PickerResult = {readonly picked: PickerEntry} | {readonly left: LeftBy};

/** How the picker was closed without a choice: by Esc or Ctrl+D, by Ctrl+C, or by a signal. */
export type LeftBy = 'key' | 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
Shows the picker until you choose a session or leave. Then it restores the terminal, and another screen can open.
Rejects with an error of a component.
*/
export async function openPicker(options: PickerOptions): Promise<PickerResult> {
	const {keymap, lists, home, isSpoken = false, isByNeed = false, typed = ''} = options;
	let result: PickerResult = {left: 'key'};
	const screen = holdScreen<PickerView>({
		...options,
		draw(size) {
			const height = share(size).list;
			if (height !== store.state.height) store.dispatch({type: 'height', height});
			return viewPicker(store.state, size, {now: Date.now(), home, isSpoken});
		},
		onLeave: () => store.stop(),
	});
	const end = (ended: PickerResult) => {
		result = ended;
		screen.close();
	};
	const leave = (left: LeftBy) => end({left});
	const store = createPickerStore(createPicker(lists, share(screen.size()).list, isByNeed), {
		listAll: options.listAll,
		preview: options.preview,
		readLive: options.readLive,
		findText: options.findText,
		hasPreviews: () => share(screen.size()).preview > 0,
		onChange: () => screen.ask('now'),
	});
	if (typed !== '') store.dispatch({type: 'edit', edit: {type: 'insert', text: typed}});
	const commands: Readonly<Record<PickerCommand, () => void>> = {
		choose() {
			const entry = selectedEntry(store.state);
			if (entry?.problem !== undefined) store.dispatch({type: 'told', sentence: entry.problem});
			else if (entry !== undefined) end({picked: entry});
		},
		leave: () => leave('key'),
		interrupt: () => leave('SIGINT'),
		remove: () => void remove(store, options),
		restore: () => void restore(store, options),
		pin: () => void pin(store, options),
		redraw: screen.redraw,
		suspend: screen.suspend,
	};
	const onKey = (key: Key) => {
		const meaning = meaningOf(key, keymap);
		if (meaning?.type === 'command') commands[meaning.command]();
		else if (meaning !== undefined) store.dispatch(meaning);
	};
	const onPaste = (text: string) => store.dispatch({type: 'edit', edit: {type: 'paste', text}});
	// The listeners must be added before the first frame. Without them a signal would end the process and leave the
	// terminal as it is.
	const unhear = onSignals(leave);
	screen.open({onKey, onPaste, onEnd: () => leave('SIGHUP')});
	try {
		await screen.closed;
	} finally {
		unhear();
	}
	return result;
}

async function remove({state, dispatch}: PickerStore, {remove: move}: TrashServices): Promise<void> {
	const entry = selectedEntry(state);
	if (entry === undefined) return;
	const moved = await move(entry);
	dispatch(moved.ok ? {type: 'removed', entry, trash: moved.dir} : {type: 'told', sentence: moved.sentence});
}

async function restore({state, dispatch}: PickerStore, {restore: move}: TrashServices): Promise<void> {
	const {removed} = state;
	if (removed === undefined) return dispatch({type: 'told', sentence: nothingRemoved});
	const moved = await move(removed.trash);
	dispatch(moved.ok ? {type: 'restored', entry: removed.entry} : {type: 'told', sentence: moved.sentence});
}

async function pin({state, dispatch}: PickerStore, {pin: change}: TrashServices): Promise<void> {
	const entry = selectedEntry(state);
	if (entry === undefined) return;
	const isPinned = entry.pinned !== true;
	const sentence = await change(entry, isPinned);
	dispatch(sentence === undefined ? {type: 'pinned', dir: entry.dir, isPinned} : {type: 'told', sentence});
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
