import {createInkStdout} from './ink-stdout.ts';

export type FrameStreamOptions = {
	readonly columns: () => number;
	readonly rows: () => number;
	/** Takes a whole frame, row by row, each complete in itself. */
	readonly onFrame: (rows: readonly string[]) => void;
};

/**
A stdout for Ink's `debug` mode, in which Ink writes every frame whole: its lines, without moving the cursor. What
begins a mode of the terminal (`ESC [ ?`) is not Ink's here: the terminal's modes are set elsewhere.
*/
export function createFrameStream({columns, rows, onFrame}: FrameStreamOptions): NodeJS.WriteStream {
	return createInkStdout({
		columns,
		rows,
		write(text) {
			if (text !== '' && !text.startsWith('\x1b[?')) onFrame(text.split('\n'));
		},
	});
}
