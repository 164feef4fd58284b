import TextInput from 'ink-text-input';
import type {ReactElement} from 'react';

/** `value`: the part of the text that fits, inert; it may be painted. */
export type TextFieldProps = {readonly value: string};

/**
A field of one line, alone or inside a `<Text>`. ink-text-input shows it and gets no keys: by itself it loses keys that
arrive in one read, and cuts emoji in two. Keys come from our own stdin stage; field-state.ts edits. The caret is the
terminal's cursor.
*/
export function TextField({value}: TextFieldProps): ReactElement {
	return <TextInput value={value} focus={false} onChange={ignoreInput} />;
}

function ignoreInput(): void {}
