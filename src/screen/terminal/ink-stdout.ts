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

/**
Creates a stdout for Ink's `debug` mode. Ink then writes each frame as whole lines, without moving the cursor. Writes
that set a terminal mode (`ESC [ ?`) are ignored, because other code sets the modes.
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

/**
Tells whether a terminal does not support control sequences (TERM=dumb). Examples are Emacs' M-x shell, the output pane
of an editor, and an expect script.
*/
export function isDumb(env: Readonly<Record<string, string | undefined>>): boolean {
	return env['TERM'] === 'dumb';
}

/**
Returns a stream that writes to the terminal without control sequences. The stream removes all modes, titles and
queries.
*/
export function plainStdout(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
	const plain = new Proxy(stdout, {
		get(target, key) {
			if (key === 'write') return write;
			const value: unknown = Reflect.get(target, key, target);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
	plainOnes.add(plain);
	return plain;

	function write(text: string | Uint8Array, ...rest: ReadonlyArray<() => void>): boolean {
		const shown = typeof text === 'string' ? text.replaceAll(controlSequence, '') : text;
		return stdout.write(shown, ...rest);
	}
}

export function isPlainStdout(stdout: object): boolean {
	return plainOnes.has(stdout);
}

type FrameStreamOptions = {
	readonly columns: () => number;
	readonly rows: () => number;
	/** Called with each frame. Each row sets and resets its own styles. */
	readonly onFrame: (rows: readonly string[]) => void;
};

const plainOnes = new WeakSet<object>();

/**
Matches control strings up to their end (OSC, DCS, APC, PM, SOS), CSI sequences and other escape sequences (ECMA-48).
*/
const controlSequence =
	// oxlint-disable-next-line no-control-regex
	/\x1b(?:[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\[[0-?]*[ -/]*[@-~]?|[ -/]*[0-~])/g;
