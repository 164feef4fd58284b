import {Box, Text, useApp} from 'ink';
import {useEffect, useSyncExternalStore, type ReactElement} from 'react';
import {textRow, type Row} from '../text/row.ts';
import {paintRow} from '../text/paint-row.ts';
import {TextField} from '../text-field/text-field.tsx';
import type {Theme} from '../text/theme.ts';
import type {PickerView} from './picker-view.ts';

/** Where the component gets its views. */
export type ViewSource = {
	readonly subscribe: (listener: () => void) => () => void;
	readonly view: () => PickerView;
};

/** Leaves the screen to somebody until they are done, and draws it anew. */
export type Lend = (during: () => Promise<void>) => Promise<void>;

export type PickerProps = {readonly source: ViewSource; readonly theme: Theme; readonly onLend: (lend: Lend) => void};

/** The picker, from top to bottom. */
export function Picker({source, theme, onLend}: PickerProps): ReactElement {
	const {suspendTerminal} = useApp();
	useEffect(() => onLend(suspendTerminal), [onLend, suspendTerminal]);
	const view = useSyncExternalStore(source.subscribe, source.view);
	const {size, title, query, placeholder, list, listHeight, preview, hints, cursor} = view;
	return (
		<Box flexDirection="column" height={size.rows} overflow="hidden">
			<Text wrap="truncate">{paintRow(title, theme)}</Text>
			<Box flexShrink={0} height={1}>
				<Text>{paintRow(prompt, theme)}</Text>
				<TextField value={query} placeholder={placeholder} caret={cursor} />
			</Box>
			<Rows rows={list} theme={theme} height={listHeight} />
			<Rows rows={preview} theme={theme} height={size.rows - listHeight - chromeRows} />
			<Text wrap="truncate">{paintRow(hints, theme)}</Text>
		</Box>
	);
}

function Rows({rows, theme, height}: {readonly rows: readonly Row[]; readonly theme: Theme; readonly height: number}): ReactElement {
	const painted = rows.slice(0, Math.max(0, height)).map(row => paintRow(row, theme));
	return (
		<Box flexDirection="column" height={Math.max(0, height)} flexShrink={0} overflow="hidden">
			{painted.map((row, index) => <Text key={index} wrap="truncate">{row === '' ? ' ' : row}</Text>)}
		</Box>
	);
}

const prompt = textRow('❯ ', 'accent');

/** Title, search field and hints. */
const chromeRows = 3;
