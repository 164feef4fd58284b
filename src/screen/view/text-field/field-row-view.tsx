import {Text, useIsScreenReaderEnabled} from 'ink';
import {memo, type ReactElement} from 'react';
import {useTheme} from '../hooks/use-frame.ts';
import {paintSpan} from '../../spans/paint-row.ts';
import {isSameRow} from '../../spans/row.ts';
import {SpokenRows} from '../transcript/block-view.tsx';
import type {FieldRow} from './field-row.ts';
import {default as TextInput} from 'ink-text-input';

type FieldRowProps = {readonly row: FieldRow};

/**
Shows the row of a field. Ink gets the row as a single text, so that its width is measured in the same way as the width
of other rows.
*/
export const FieldRowView = memo(
	function FieldRowView({row}: FieldRowProps): ReactElement {
		const theme = useTheme();
		const isReader = useIsScreenReaderEnabled();
		if (isReader) return <SpokenRows rows={[row]} />;
		const [label, text, after] = row.spans;
		return (
			<Text wrap="truncate">
				{paintSpan(label, theme)}
				<TextField value={paintSpan(text, theme)} />
				{paintSpan(after, theme)}
			</Text>
		);
	},
	(one, other) => isSameRow(one.row, other.row),
);

/** `value` is the visible part of the text. It is sanitized, and may contain escape sequences for colours. */
type TextFieldProps = {readonly value: string};

/**
A field of one line, alone or inside a `<Text>`. ink-text-input renders the field but gets no keys, because that package
loses keys that arrive in one read, and splits emoji. inkpod reads the keys itself, and field-state.ts edits the text.
The caret is the terminal's cursor.
*/
export function TextField({value}: TextFieldProps): ReactElement {
	return <TextInput value={value} focus={false} onChange={ignoreInput} />;
}

function ignoreInput(): void {}
