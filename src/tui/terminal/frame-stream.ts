import {EventEmitter} from 'node:events';

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
	const stream = Object.assign(new EventEmitter(), {
		isTTY: true,
		writable: true,
		write(text: string): boolean {
			if (text !== '' && !text.startsWith('\x1b[?')) onFrame(text.split('\n'));
			return true;
		},
	});
	Object.defineProperty(stream, 'columns', {get: columns});
	Object.defineProperty(stream, 'rows', {get: rows});
	return stream as unknown as NodeJS.WriteStream;
}
