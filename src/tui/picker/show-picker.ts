import {createInlineViewOf, mountOnPainter} from '../screen/mount.tsx';
import type {Mounted, MountOptions, View, ViewOptions} from '../screen/view.ts';
import {createSpokenScreen} from '../spoken/spoken-screen.ts';
import type {Painter} from '../terminal/compositor/painter.ts';
import type {SpokenCaret} from '../terminal/spoken-stream.ts';
import {spokenLines} from '../text/spoken.ts';
import {PickerScreen} from './picker-screen.tsx';
import type {PickerView} from './picker-view.ts';

/** The picker on a painter. */
export function mountPicker(painter: Painter, options: MountOptions<PickerView>): Mounted<PickerView> {
	return mountOnPainter(PickerScreen, painter, options);
}

/** The picker below what is on the screen already. Nothing of it stays there. */
export function createInlinePicker(options: ViewOptions): View<PickerView> {
	return createInlineViewOf(PickerScreen, options, {isCleared: true});
}

/** The picker for screen readers: a few lines that change. */
export function createSpokenPicker(options: ViewOptions): View<PickerView> {
	return createSpokenScreen(options, {component: PickerScreen, extra: {}, caretOf: spokenCaret});
}

/** Where the cursor belongs among the lines of a screen reader: in the field, which has the other lines below it. */
export function spokenCaret({list, preview, hints, cursor}: PickerView): SpokenCaret {
	const below = [list, preview, [hints]].map(rows => spokenLines(rows).length);
	return {up: below.reduce((sum, count) => sum + count, 0), x: cursor.x};
}
