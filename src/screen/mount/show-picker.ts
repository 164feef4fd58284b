import {createInlineViewOf, mountOnPainter} from './mount.tsx';
import type {Mounted, MountOptions, View, ViewOptions} from './view.ts';
import {createSpokenScreen} from './spoken-screen.ts';
import type {Painter} from '../terminal/compositor/compositor.ts';
import type {SpokenCaret} from '../terminal/spoken-stream.ts';
import {spokenLines} from '../spans/spoken.ts';
import {PickerScreen} from './picker-screen.tsx';
import type {PickerView} from '../view/picker/picker-view.ts';

/** Shows the picker on a painter. */
export function mountPicker(painter: Painter, options: MountOptions<PickerView>): Mounted<PickerView> {
	return mountOnPainter(PickerScreen, painter, options);
}

/** Shows the picker below the current contents of the screen. The picker is erased when it closes. */
export function createInlinePicker(options: ViewOptions): View<PickerView> {
	return createInlineViewOf(PickerScreen, options, {isCleared: true});
}

/** Shows the picker as a few changing lines, for screen readers. */
export function createSpokenPicker(options: ViewOptions): View<PickerView> {
	return createSpokenScreen(options, {component: PickerScreen, extra: {}, caretOf: spokenCaret});
}

/**
Returns the position of the cursor in the lines for a screen reader. The cursor is in the field, above the other lines.
*/
export function spokenCaret({list, preview, hints, cursor}: PickerView): SpokenCaret {
	const below = [list, preview, hints].map(rows => spokenLines(rows).length);
	return {up: below.reduce((sum, count) => sum + count, 0), x: cursor.x};
}
