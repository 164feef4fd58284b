import TextInput from 'ink-text-input';
import type {ReactElement} from 'react';

/** `value` is the visible part of the text. It is inert, and may already be painted. */
export type TextFieldProps = {readonly value: string};

/**
A field of one line, alone or inside a `<Text>`. ink-text-input renders it but gets no keys, because it loses keys that
arrive in one read, and splits emoji. inkpod's own input stage reads the keys, and field-state.ts edits the text. The
caret is the terminal's cursor.
*/
export function TextField({value}: TextFieldProps): ReactElement {
	return <TextInput value={value} focus={false} onChange={ignoreInput} />;
}

function ignoreInput(): void {}
