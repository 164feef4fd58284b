import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useStore} from 'zustand';
import type {StoreApi} from 'zustand/vanilla';
import {useCaret} from '../hooks/use-caret.ts';
import type {Row} from '../text/row.ts';
import {FieldRowView} from '../text-field/field-row-view.tsx';
import {RowsView} from '../transcript/rows-view.tsx';
import type {PickerView} from './picker-view.ts';

/** The picker, from top to bottom. */
export function Picker({shown}: {readonly shown: StoreApi<PickerView>}): ReactElement {
	const {size, title, field, list, listHeight, preview, previewHeight, hints, cursor} = useStore(shown);
	return (
		<Box flexDirection="column" width={size.columns} height={size.rows} overflow="hidden">
			<RowsView rows={[title]} />
			<FieldRowView row={field} />
			<Region rows={list} height={listHeight} />
			<Region rows={preview} height={previewHeight} />
			<RowsView rows={[hints]} />
			<Caret {...cursor} />
		</Box>
	);
}

/** Rows in a place of some height. */
function Region({rows, height}: {readonly rows: readonly Row[]; readonly height: number}): ReactElement {
	const isReader = useIsScreenReaderEnabled();
	if (isReader) return <RowsView rows={rows} />;
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			<RowsView rows={rows} />
		</Box>
	);
}

/** The terminal's cursor. */
function Caret({x, y}: PickerView['cursor']): null {
	useCaret({x, y});
	return null;
}
