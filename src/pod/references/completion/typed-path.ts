import {maxPathBytes} from '../../scope/locate.ts';

/**
A path while the user types it. `head` is empty or ends in a slash, and is taken literally. `tail` is searched in that
folder. `rooted`: the head names the folder (`/`, `~/`, `./`, `../`). Otherwise the whole text may match paths anywhere.
*/
export type TypedPath = {readonly head: string; readonly tail: string; readonly rooted: boolean};

/** The maximum number of parts of a path. Resolving a path accesses the disk for each part. */
const maxParts = 64;

/**
Parses the text after the `@`, which may be quoted, escaped or bare.
Returns `undefined` if no file can have such a name, or the path is too deep.
*/
export function parseTypedPath(text: string): TypedPath | undefined {
	const path = withFolderSlash(unescaped(text).replaceAll(/\/{2,}/g, '/'));
	if (path.includes('\0') || Buffer.byteLength(path) > maxPathBytes || path.split('/').length > maxParts)
		return undefined;
	const cut = path.lastIndexOf('/') + 1;
	const head = path.slice(0, cut);
	return {head, tail: path.slice(cut), rooted: /^(?:\/|~\/|\.\/)/.test(head) || /(?:^|\/)\.\.\//.test(head)};
}

/** Returns the same path with one part less in its head, or `undefined` if the head would lose its root. */
export function shorterHead({head, tail, rooted}: TypedPath): TypedPath | undefined {
	const cut = head.lastIndexOf('/', head.length - 2) + 1;
	const part = head.slice(cut);
	if (cut === 0 || part === '../' || part === './') return undefined;
	return {head: head.slice(0, cut), tail: part + tail, rooted};
}

/**
Returns the text without the range at its end, even an incomplete one. Returns `undefined` if there is no range.
*/
export function withoutRange(text: string): string | undefined {
	const found = /(?::\d*(?:-\d*)?|#(?:L\d*(?:-L?\d*)?)?)"?$/.exec(text);
	return found === null || found.index === 0 ? undefined : text.slice(0, found.index);
}

/** Adds a slash to `..` and `~`, because they are folders. */
function withFolderSlash(path: string): string {
	return path === '~' || path === '..' || path.endsWith('/..') ? `${path}/` : path;
}

/**
Reads a name as references/submission/token.ts does. In quotes `\"` and `\\` are escapes. Elsewhere a backslash escapes
a character that would end the name.
*/
function unescaped(text: string): string {
	if (!text.startsWith('"')) return text.replaceAll(/\\([\s"'`、。，！？：；）」』】〉》])/gu, '$1');
	const [, inner = ''] = /^"((?:[^"\\]|\\.|\\$)*)/su.exec(text) ?? [];
	return inner.replaceAll(/\\(["\\])/g, '$1');
}
