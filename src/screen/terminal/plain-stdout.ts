/**
Tells whether a terminal has no control sequences (TERM=dumb): Emacs' M-x shell, an editor's output pane, an expect
script.
*/
export function isDumb(env: Readonly<Record<string, string | undefined>>): boolean {
	return env['TERM'] === 'dumb';
}

/** Returns the terminal without control sequences: modes, titles and queries that any part writes are dropped. */
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

const plainOnes = new WeakSet<object>();

/** Strings up to their end (OSC, DCS, APC, PM, SOS), CSI sequences and other escapes (ECMA-48). */
const controlSequence =
	// oxlint-disable-next-line no-control-regex
	/\x1b(?:[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\[[0-?]*[ -/]*[@-~]?|[ -/]*[0-~])/g;
