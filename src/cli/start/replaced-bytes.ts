import {isUtf8} from 'node:buffer';
import {readFileSync} from 'node:fs';
import {replacedArgument, replacedVariable} from './texts.ts';

/**
Returns a sentence if the bytes of an argument, or of a variable that names a folder, are not UTF-8. Node replaces such
bytes with U+FFFD, so the name could mean another file. Only Linux has such names and shows the bytes.
*/
export function replacedBytes(argv: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
	const words = argv.some(hasReplacement) ? entriesOf('cmdline').slice(-argv.length) : [];
	const argument = argv.find((word, index) => hasReplacement(word) && !isUtf8(words[index] ?? empty));
	if (argument !== undefined) return replacedArgument(argument);
	const variables = Object.keys(env).filter(name => namesFolder.test(name) && hasReplacement(env[name]));
	const entries = variables.length === 0 ? [] : entriesOf('environ');
	const name = variables.find(each => entries.some(entry => entry.indexOf(`${each}=`) === 0 && !isUtf8(entry)));
	return name === undefined ? undefined : replacedVariable(name);
}

function hasReplacement(text: string | undefined): boolean {
	return text?.includes(replacement) === true;
}

/** The character with which Node replaces a byte that is not UTF-8. */
const replacement = '\ufffd';

const namesFolder = /^(?:HOME|INKPOD_HOME|TMPDIR|XDG_\w+)$/;

const empty = Buffer.alloc(0);

/** Returns the entries of a file in /proc/self. Each entry ends with NUL. */
function entriesOf(name: 'cmdline' | 'environ'): readonly Buffer[] {
	const entries: Buffer[] = [];
	const bytes = read(`/proc/self/${name}`);
	for (let at = 0; at < bytes.length;) {
		const end = bytes.indexOf(0, at);
		entries.push(bytes.subarray(at, end === -1 ? bytes.length : end));
		at = end === -1 ? bytes.length : end + 1;
	}
	return entries;
}

function read(path: string): Buffer {
	try {
		return readFileSync(path);
	} catch {
		return empty;
	}
}
