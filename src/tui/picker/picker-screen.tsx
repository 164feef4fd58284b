import type {ReactElement} from 'react';
import {ThemeContext} from '../hooks/use-theme.ts';
import {ErrorBoundary} from '../screen/error-boundary.tsx';
import {createInlineViewOf, mountOnPainter, type Tree} from '../screen/mount.ts';
import type {Mounted, MountOptions, View, ViewOptions} from '../screen/view.ts';
import {createSpokenScreen} from '../spoken/spoken-screen.ts';
import type {Painter} from '../terminal/compositor/painter.ts';
import {Picker} from './picker.tsx';
import {spokenCaret, type PickerView} from './picker-view.ts';

/** The picker on a painter. */
export function mountPicker(painter: Painter, options: MountOptions<PickerView>): Mounted<PickerView> {
	return mountOnPainter(painter, pickerTree, options);
}

/** The picker below what is on the screen already. Nothing of it stays there. */
export function createInlinePicker(options: ViewOptions): View<PickerView> {
	return createInlineViewOf(pickerTree, options, {isCleared: true});
}

/** The picker for screen readers: a few lines that change. */
export function createSpokenPicker(options: ViewOptions): View<PickerView> {
	return createSpokenScreen(options, {tree: pickerTree, caretOf: spokenCaret});
}

export const pickerTree: Tree<PickerView> = (shown, {theme, onError}): ReactElement => (
	<ErrorBoundary onError={onError}>
		<ThemeContext value={theme}>
			<Picker shown={shown} />
		</ThemeContext>
	</ErrorBoundary>
);
