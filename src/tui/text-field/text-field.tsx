import {Box, useCursor} from 'ink';
import TextInput from 'ink-text-input';
import type {ReactElement} from 'react';

export type TextFieldProps = {
	/** The part of the text that fits, inert. */
	readonly value: string;
	readonly placeholder?: string;
	/**
	The cell of the screen where the caret is, if the field is active. The terminal's cursor is there: an input method
	shows its window at that place.
	*/
	readonly caret?: {readonly x: number; readonly y: number} | undefined;
};

/**
A field of one line. ink-text-input shows it and gets no keys: by itself it loses keys that arrive in one read, and cuts
emoji in two. Keys come from our own stdin stage; field-state.ts edits.
*/
export function TextField({value, placeholder = '', caret}: TextFieldProps): ReactElement {
	return (
		<Box flexShrink={0} height={1}>
			<TextInput value={value} placeholder={placeholder} focus={false} onChange={ignoreInput} />
			{caret === undefined ? null : <Caret x={caret.x} y={caret.y} />}
		</Box>
	);
}

function Caret({x, y}: {readonly x: number; readonly y: number}): null {
	const {setCursorPosition} = useCursor();
	setCursorPosition({x, y});
	return null;
}

function ignoreInput(): void {}
