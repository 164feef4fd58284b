import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useStore} from 'zustand';
import {useCaret} from '../view/hooks/use-frame.ts';
import {ThemeContext} from '../view/hooks/use-frame.ts';
import {ErrorBoundary} from './mount.tsx';
import type {ScreenProps} from './view.ts';
import type {Row} from '../spans/row.ts';
import {FieldRowView} from '../view/text-field/field-row-view.tsx';
import {RowsView} from '../view/transcript/block-view.tsx';
import type {PickerView} from '../view/picker/picker-view.ts';

/** Renders the picker with its contexts. */
export function PickerScreen({shown, theme, onError}: ScreenProps<PickerView>): ReactElement {
	return (
		<ErrorBoundary onError={onError}>
			<ThemeContext value={theme}>
				<Picker shown={shown} />
			</ThemeContext>
		</ErrorBoundary>
	);
}

/** Renders the picker from top to bottom. */
function Picker({shown}: Pick<ScreenProps<PickerView>, 'shown'>): ReactElement {
	const {size, title, field, list, listHeight, preview, previewHeight, hints, cursor} = useStore(shown);
	return (
		<Box flexDirection="column" width={size.columns} height={size.rows} overflow="hidden">
			<RowsView rows={[title]} />
			<FieldRowView row={field} />
			<Region rows={list} height={listHeight} />
			<Region rows={preview} height={previewHeight} />
			<RowsView rows={hints} />
			<Caret {...cursor} />
		</Box>
	);
}

/** Renders rows in a region of fixed height. */
function Region({rows, height}: {readonly rows: readonly Row[]; readonly height: number}): ReactElement {
	const isReader = useIsScreenReaderEnabled();
	if (isReader) return <RowsView rows={rows} />;
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			<RowsView rows={rows} />
		</Box>
	);
}

/** Sets the position of the terminal's cursor. */
function Caret({x, y}: PickerView['cursor']): null {
	useCaret({x, y});
	return null;
}
