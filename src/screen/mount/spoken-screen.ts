import type {ComponentType} from 'react';
import {mountSpoken} from './mount.tsx';
import type {Frame, Mounted, ScreenProps, View, ViewOptions} from './view.ts';
import type {SpokenCaret} from '../terminal/spoken-stream.ts';
import {createSpokenStreamOn} from '../terminal/spoken-stream.ts';

/** The parts that the screen reader mode needs. */
type SpokenParts<Of extends Frame, Extra extends object> = {
	readonly component: ComponentType<ScreenProps<Of> & Extra>;
	/** The values that the component gets in addition to frames. */
	readonly extra: Extra;
	readonly caretOf: (frame: Of) => SpokenCaret;
	/** Receives a frame before the component shows it. */
	readonly follow?: (frame: Of) => void;
	/** The function that is called after the components were removed. New components show the next frame. */
	readonly onUnmount?: () => void;
};

/** Creates a view for screen readers. Ink's tree becomes lines, and only changed lines are written. */
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
