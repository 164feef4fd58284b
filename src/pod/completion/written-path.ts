import {maxPathBytes} from '../scope/locate.ts';

/**
A path as a person is writing it. `head` ends in a slash and is taken as it stands, or is empty; `tail` is sought below
it.
`rooted`: the head says where to look (`/`, `~/`, `./`, `../`); else the whole may be letters of a path anywhere.
*/
export type WrittenPath = {readonly head: string; readonly tail: string; readonly rooted: boolean};

/** Following a path costs a look at the disk for each part. */
const maxParts = 64;

/**
Reads what stands behind the `@`, quoted, escaped or bare. `undefined`: no file has such a name, or it is too deep to be
looked for.
*/
export function readWritten(text: string): WrittenPath | undefined {
	const path = named(unescaped(text).replaceAll(/\/{2,}/g, '/'));
	if (path.includes('\0') || Buffer.byteLength(path) > maxPathBytes || path.split('/').length > maxParts)
		return undefined;
	const cut = path.lastIndexOf('/') + 1;
	const head = path.slice(0, cut);
	return {head, tail: path.slice(cut), rooted: /^(?:\/|~\/|\.\/)/.test(head) || /(?:^|\/)\.\.\//.test(head)};
}

/** The same path with one part less in its head, or `undefined` where that would leave what the head is rooted in. */
export function shorterHead({head, tail, rooted}: WrittenPath): WrittenPath | undefined {
	const cut = head.lastIndexOf('/', head.length - 2) + 1;
	const part = head.slice(cut);
	if (cut === 0 || part === '../' || part === './') return undefined;
	return {head: head.slice(0, cut), tail: part + tail, rooted};
}

/** The text without the range that is written, or being written, at its end. `undefined` where there is none. */
export function withoutRange(text: string): string | undefined {
	const found = /(?::\d*(?:-\d*)?|#(?:L\d*(?:-L?\d*)?)?)"?$/.exec(text);
	return found === null || found.index === 0 ? undefined : text.slice(0, found.index);
}

/** `..` and `~` by themselves are folders too. */
function named(path: string): string {
	return path === '~' || path === '..' || path.endsWith('/..') ? `${path}/` : path;
}

/** As submission/token.ts reads a name: in quotes `\"` and `\\`, bare a backslash before what would end the name. */
function unescaped(text: string): string {
	if (!text.startsWith('"')) return text.replaceAll(/\\([\s"'`、。，！？：；）」』】〉》])/gu, '$1');
	const [, inner = ''] = /^"((?:[^"\\]|\\.|\\$)*)/su.exec(text) ?? [];
	return inner.replaceAll(/\\(["\\])/g, '$1');
}
