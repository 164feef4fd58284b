import {render} from 'ink';
import {ErrorBoundary} from '../screen/error-boundary.tsx';
import type {Keymap} from '../keymap.ts';
import {createInput, type Key, type TerminalInput} from '../terminal/input/input.ts';
import {enterKeys, enterModes, leaveKeys, leaveModes, restoreAll, stopGroup, writeNow} from '../terminal/terminal.ts';
import type {Theme} from '../text/theme.ts';
import type {PickerEntry, PreviewPart} from './entry.ts';
import {meaningOf, type PickerCommand} from './picker-keys.ts';
import {createPicker, pick, selectedEntry, type PickerAction, type PickerState} from './picker-state.ts';
import {share, viewPicker, type PickerView, type Size} from './picker-view.ts';
import {Picker, type Lend, type ViewSource} from './picker.tsx';

export type PickerOptions = {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	readonly keymap: Keymap;
	readonly theme: Theme;
	/** The person's home directory, written `~`. */
	readonly home?: string | undefined;
	/** The sessions of this directory, and of all where they are known already; the last changed first. */
	readonly lists: {readonly here: readonly PickerEntry[]; readonly all?: readonly PickerEntry[]};
	/** What the query begins with. */
	readonly typed?: string;
	/** Called when the person asks for all directories and they are not known. Does not reject. */
	readonly listAll: () => Promise<AllListed>;
	/** A few short texts of a session. Aborted when the selection moves on; then its answer is dropped. Does not reject. */
	readonly preview: (entry: PickerEntry, signal: AbortSignal) => Promise<readonly PreviewPart[]>;
};

export type AllListed = {readonly ok: true; readonly entries: readonly PickerEntry[]} | {readonly ok: false; readonly sentence: string};

export type PickerResult = {readonly picked: PickerEntry} | {readonly left: LeftBy};

/** How the person left without a choice: by Esc or Ctrl+D, by Ctrl+C, or by a signal. */
export type LeftBy = 'key' | 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
Shows the picker on a full screen until the person has chosen or left. When it settles the terminal is as it was found, and
another screen can be opened on it. Rejects with what a component threw.
*/
export async function openPicker(options: PickerOptions): Promise<PickerResult> {
	const {stdin, stdout, keymap, theme} = options;
	const ended = Promise.withResolvers<PickerResult>();
	const size = () => ({columns: stdout.columns || 80, rows: stdout.rows || 24});
	const model = createModel(options, size);
	const lent = Promise.withResolvers<Lend>();
	let gone = false;
	let left = false;
	const leave = (left: LeftBy) => {
		gone = left === 'SIGHUP';
		ended.resolve({left});
	};
	const commands: Readonly<Record<PickerCommand, () => void>> = {
		choose: () => choose(model, ended.resolve),
		leave: () => leave('key'),
		interrupt: () => leave('SIGINT'),
		redraw: () => redraw(),
		suspend: () => suspension.suspend(),
	};
	const onKey = (key: Key) => {
		const meaning = meaningOf(key, keymap);
		if (meaning?.type === 'command') commands[meaning.command]();
		else if (meaning !== undefined) model.act(meaning);
	};
	const input = createInput(stdin, {onKey, onPaste: text => model.act({type: 'edit', edit: {type: 'insert', text}}), onEnd: () => leave('SIGHUP')});
	const restoreAtExit = () => writeNow(1, restoreAll);
	const resized = () => model.act({type: 'height', height: share(size()).list});

	stdin.on('error', bearLoss);
	stdout.on('error', bearLoss);
	input.start();
	process.on('exit', restoreAtExit);
	stdout.on('resize', resized);
	const quiet = onSignals(leave);
	const redraw = () => {
		ink.clear();
		model.draw();
	};
	const suspension = createSuspension({input, stdout, lend: lent.promise, isLeft: () => left, redraw});
	// Before anything is shown: a signal that nobody hears would stop us with the terminal as it is.
	suspension.hear();
	stdout.write(enterModes);
	const ink = render(<ErrorBoundary onError={ended.reject}><Picker source={model.source} theme={theme} onLend={lent.resolve} /></ErrorBoundary>, {stdin, stdout, alternateScreen: true, incrementalRendering: true, maxFps: 1000, exitOnCtrlC: false, patchConsole: false, interactive: true});
	stdout.write(enterKeys);
	try {
		return await ended.promise;
	} finally {
		left = true;
		model.stop();
		input.stop();
		stdout.off('resize', resized);
		suspension.unhear();
		stdout.write(leaveKeys);
		ink.unmount();
		await ink.waitUntilExit();
		stdout.write(leaveModes);
		quiet();
		process.off('exit', restoreAtExit);
		if (!gone) for (const stream of [stdin, stdout]) stream.off('error', bearLoss);
	}
}

type Suspending = {readonly input: TerminalInput; readonly stdout: NodeJS.WriteStream; readonly lend: Promise<Lend>; readonly isLeft: () => boolean; readonly redraw: () => void};

/** Hears what stops us or goes on with us, as the full screen does: while we are stopped the terminal is the shell's, and no key of it is ours. */
function createSuspension({input, stdout, lend, isLeft, redraw}: Suspending): {readonly suspend: () => void; readonly hear: () => void; readonly unhear: () => void} {
	let isOver = false;
	/** Asked for again before the first one had come to its end. */
	let isWanted = false;

	function hear(): void {
		process.on('SIGCONT', redraw);
		process.on('SIGTSTP', suspend);
	}

	function unhear(): void {
		process.off('SIGCONT', redraw);
		process.off('SIGTSTP', suspend);
	}

	function suspend(): void {
		isWanted = isOver;
		if (isOver) return;
		isOver = true;
		void stop().finally(() => {
			isOver = false;
			if (isWanted && !isLeft()) suspend();
		});
	}

	async function stop(): Promise<void> {
		input.stop();
		unhear();
		stdout.write(leaveKeys);
		await (await lend)(async () => {
			stdout.write(leaveModes);
			await stopGroup();
			if (isLeft()) return;
			hear();
			// What is typed on a screen that is there again must not meet a terminal that edits lines by itself.
			input.start();
			stdout.write(enterModes);
		});
		if (!isLeft()) stdout.write(enterKeys);
	}

	return {suspend, hear, unhear};
}

type Model = {
	readonly state: () => PickerState;
	readonly act: (action: PickerAction) => void;
	/** Makes the view of this moment anew. */
	readonly draw: () => void;
	readonly source: ViewSource;
	readonly stop: () => void;
};

/** The state with what follows from it: one view for all that was done in one read, the other list when it is asked for, the selected session's preview. */
function createModel({lists, home, listAll, preview, typed = ''}: PickerOptions, size: () => Size): Model {
	const listeners = new Set<() => void>();
	const empty = createPicker(lists, share(size()).list);
	let state = typed === '' ? empty : pick(empty, {type: 'edit', edit: {type: 'insert', text: typed}});
	let view: PickerView = make();
	let drawing = false;
	let asked = lists.all !== undefined;
	const looking = createLooking(preview, (dir, parts) => act({type: 'previewed', dir, parts}));
	looking.at(wanted());

	function make(): PickerView {
		return viewPicker(state, size(), {now: Date.now(), home});
	}

	function draw(): void {
		drawing = false;
		view = make();
		for (const listener of listeners) listener();
	}

	function wanted(): PickerEntry | undefined {
		const entry = share(size()).preview === 0 ? undefined : selectedEntry(state);
		return entry === undefined || entry.problem !== undefined || state.previews.has(entry.dir) ? undefined : entry;
	}

	function act(action: PickerAction): void {
		state = pick(state, action);
		looking.at(wanted());
		if (state.scope === 'all' && !asked) {
			asked = true;
			void listAll().then(listed => {
				asked = listed.ok;
				act(listed.ok ? {type: 'listed', scope: 'all', entries: listed.entries} : {type: 'unlisted', sentence: listed.sentence});
			});
		}
		if (drawing) return;
		drawing = true;
		queueMicrotask(draw);
	}

	return {
		state: () => state,
		act,
		draw,
		source: {
			subscribe(listener) {
				listeners.add(listener);
				return () => listeners.delete(listener);
			},
			view: () => view,
		},
		stop() {
			looking.at(undefined);
			listeners.clear();
		},
	};
}

/** Looks into one session at a time, once the selection has rested on it: who runs through the list opens no file. */
function createLooking(preview: PickerOptions['preview'], seen: (dir: string, parts: readonly PreviewPart[]) => void): {readonly at: (entry: PickerEntry | undefined) => void} {
	let current: {readonly dir: string; readonly stop: () => void} | undefined;
	return {
		at(entry) {
			if (entry?.dir === current?.dir) return;
			current?.stop();
			current = undefined;
			if (entry === undefined) return;
			const controller = new AbortController();
			const timer = setTimeout(async () => {
				const parts = await preview(entry, controller.signal);
				if (!controller.signal.aborted) seen(entry.dir, parts);
			}, restMs);
			current = {dir: entry.dir, stop() {
				clearTimeout(timer);
				controller.abort();
			}};
		},
	};
}

function choose(model: Model, picked: (result: PickerResult) => void): void {
	const entry = selectedEntry(model.state());
	if (entry?.problem !== undefined) model.act({type: 'told', sentence: entry.problem});
	else if (entry !== undefined) picked({picked: entry});
}

/** Takes the signals that end a program, until the result is called. */
function onSignals(leave: (left: LeftBy) => void): () => void {
	const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(signal => [signal, () => leave(signal)] as const);
	for (const [signal, handler] of handlers) process.on(signal, handler);
	return () => {
		for (const [signal, handler] of handlers) process.off(signal, handler);
	};
}

/** A terminal that is gone can be given nothing back, and its errors may still come when the picker is over: its end is heard by other ways. */
function bearLoss(): void {}

/** How long a selection must rest before it is looked into, in milliseconds. */
const restMs = 60;
