import type {ComponentType} from 'react';
import {mountSpoken} from './mount.tsx';
import type {Frame, Mounted, ScreenProps, View, ViewOptions} from './view.ts';
import type {SpokenCaret} from '../terminal/spoken-stream.ts';
import {createSpokenStreamOn} from '../terminal/spoken-stream.ts';

/** The parts of a view for screen readers. */
type SpokenParts<Of extends Frame, Extra extends object> = {
	readonly component: ComponentType<ScreenProps<Of> & Extra>;
	/** Additional props of the component. */
	readonly extra: Extra;
	readonly caretOf: (frame: Of) => SpokenCaret;
	/** Called with a frame before the component shows that frame. */
	readonly follow?: (frame: Of) => void;
	/** Called after the component was unmounted. A new component shows the next frame. */
	readonly onUnmount?: () => void;
};

/** Creates a view for screen readers. Ink turns its tree into lines, and only changed lines are written. */
export function createSpokenScreen<Of extends Frame, Extra extends object>(
	{stdin, stdout, theme, onError}: ViewOptions,
	{component, extra, caretOf, follow, onUnmount}: SpokenParts<Of, Extra>,
): View<Of> {
	const stream = createSpokenStreamOn(stdout, theme.glyphs);
	let mounted: Mounted<Of> | undefined;
	let isOn = false;
	return {
		start() {
			isOn = true;
		},
		stop() {
			isOn = false;
			mounted?.unmount();
			mounted = undefined;
			onUnmount?.();
			stream.leave();
		},
		close() {},
		show(frame) {
			follow?.(frame);
			if (!isOn) return;
			if (mounted === undefined) mounted = mountSpoken(component, stream, {stdin, theme, onError, frame, extra});
			else mounted.show(frame);
			const caret = caretOf(frame);
			queueMicrotask(() => {
				if (isOn) stream.flush(caret);
			});
		},
		forget: () => stream.forget(),
	};
}
