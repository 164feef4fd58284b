import {render, type Instance} from 'ink';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Tree} from '../screen/mount.ts';
import type {Frame, View, ViewOptions} from '../screen/view.ts';
import {createSpokenStreamOn, type SpokenCaret} from '../terminal/spoken-stream.ts';

/** How frames are given to a screen reader. */
export type SpokenParts<Of extends Frame> = {
	readonly tree: Tree<Of>;
	readonly caretOf: (frame: Of) => SpokenCaret;
	/** Takes a frame in before the tree shows it. */
	readonly follow?: (frame: Of) => void;
	/** The tree has been taken down; the next frame is shown by a new one. */
	readonly onUnmount?: () => void;
};

/** A view for screen readers: the lines of Ink's tree in its mode for them, of which only what changed is written. */
export function createSpokenScreen<Of extends Frame>(
	{stdin, stdout, ...options}: ViewOptions,
	{tree, caretOf, follow, onUnmount}: SpokenParts<Of>,
): View<Of> {
	const stream = createSpokenStreamOn(stdout);
	let mounted: {readonly ink: Instance; readonly shown: StoreApi<Of>} | undefined;
	let isOn = false;

	function mount(frame: Of): NonNullable<typeof mounted> {
		const shown = createStore<Of>(() => frame);
		const own = {stdin, stdout: stream.stdout, isScreenReaderEnabled: true};
		const common = {alternateScreen: false, exitOnCtrlC: false, patchConsole: false, interactive: true};
		return {shown, ink: render(tree(shown, options), {...own, ...common})};
	}

	return {
		start() {
			isOn = true;
		},
		stop() {
			isOn = false;
			mounted?.ink.unmount();
			mounted?.ink.cleanup();
			mounted = undefined;
			onUnmount?.();
			stream.leave();
		},
		close() {},
		show(frame) {
			follow?.(frame);
			if (!isOn) return;
			if (mounted === undefined) mounted = mount(frame);
			else mounted.shown.setState(frame, true);
			const caret = caretOf(frame);
			queueMicrotask(() => {
				if (isOn) stream.flush(caret);
			});
		},
		forget: () => stream.forget(),
	};
}
