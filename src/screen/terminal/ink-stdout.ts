import {EventEmitter} from 'node:events';

type InkStdoutOptions = {
	readonly columns: () => number;
	readonly rows: () => number;
	readonly write: (text: string) => void;
};

/** Creates a stdout with the parts of a terminal stream that Ink uses: events, `isTTY`, `write` and the size. */
export function createInkStdout({columns, rows, write}: InkStdoutOptions): NodeJS.WriteStream {
	const stream = Object.assign(new EventEmitter() as NodeJS.WriteStream, {
		isTTY: true,
		writable: true,
		write(text: string): boolean {
			write(text);
			return true;
		},
	});
	Object.defineProperty(stream, 'columns', {get: columns});
	Object.defineProperty(stream, 'rows', {get: rows});
	return stream;
}
