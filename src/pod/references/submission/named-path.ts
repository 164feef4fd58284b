import {relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {diskPath, existsIn} from '../../scope/disk-path.ts';
import {contains} from '../../ground/files/contains.ts';
import type {Scope} from '../../scope/scope.ts';

/**
Returns the path of the existing file that a pasted or dragged text names, or `undefined` for any other text. A path
below the working directory is relative to it.
*/
export async function namedPath(text: string, scope: Scope): Promise<string | undefined> {
	const exists = existsIn(scope);
	for (const path of readingsOf(text)) {
		if (!(await exists(path))) continue;
		const absolute = resolve(scope.pwd, diskPath(path, scope));
		const below = contains(scope.pwd, absolute) ? relative(scope.pwd, absolute) : '';
		return below === '' || below.startsWith('~') ? path : below;
	}
	return undefined;
}

/**
Returns the paths that a text may mean: as it is, without its quotes, without its backslashes, or as a `file:` address.
Terminals write a dragged file in one of these forms, often with a space after it.
*/
export function readingsOf(text: string): readonly string[] {
	const written = text.trim();
	if (written === '' || written.length > maxLength || control.test(written)) return [];
	const readings = [written, unquoted(written), unescaped(written), ofAddress(written)];
	return [...new Set(readings.filter(reading => reading !== undefined && !control.test(reading)))] as string[];
}

/** The maximum length of a path with its quotes or escapes, in UTF-16 code units. */
const maxLength = 3 * 4096;
const control = /[\u0000-\u001F\u007F]/;

/** In single quotes a quote is written as `'\''`, and in double quotes a backslash escapes a quote or itself. */
function unquoted(text: string): string | undefined {
	const single = /^'((?:[^']|'\\'')*)'$/.exec(text)?.[1];
	if (single !== undefined) return single.replaceAll(String.raw`'\''`, "'");
	return /^"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1]?.replaceAll(/\\(["\\$`])/g, '$1');
}

/** A shell would split the text at a space without a backslash, so such a text is not one path. */
function unescaped(text: string): string | undefined {
	return /^(?:[^\s\\'"]|\\.)+$/u.test(text) && text.includes('\\') ? text.replaceAll(/\\(.)/gu, '$1') : undefined;
}

/** Only addresses of this machine name a file: without a host, or with `localhost`. */
function ofAddress(text: string): string | undefined {
	if (!/^file:\/\/(?:localhost)?\//i.test(text) || /[?#]/.test(text)) return undefined;
	try {
		return fileURLToPath(new URL(text.replace(/^file:\/\/localhost/i, 'file://')));
	} catch {
		return undefined;
	}
}
