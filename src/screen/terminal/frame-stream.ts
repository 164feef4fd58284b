import {createInkStdout} from './ink-stdout.ts';

type FrameStreamOptions = {
	readonly columns: () => number;
	readonly rows: () => number;
	/** The function that receives each whole frame. Each row is complete in itself. */
	readonly onFrame: (rows: readonly string[]) => void;
};

/**
Creates a stdout for Ink's `debug` mode. Ink then writes each frame as whole lines, without moving the cursor. Sequences
that set a terminal mode (`ESC [ ?`) are dropped, because other code sets the modes.
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
