import {isUtf8} from 'node:buffer';

/**
A path as a string, even if its bytes are not UTF-8: each such byte is a lone surrogate, U+DC80 to U+DCFF (PEP 383).
Every path has exactly one string, and the string of a UTF-8 path is the usual one.
*/
export function decodePath(bytes: Buffer): string {
	if (isUtf8(bytes)) return bytes.toString();
	let path = '';
	for (let at = 0; at < bytes.length;) {
		const length = characterLength(bytes, at);
		path +=
			length === 0 ? String.fromCharCode(0xdc00 + bytes.readUInt8(at)) : bytes.toString('utf8', at, at + length);
		at += Math.max(1, length);
	}
	return path;
}

/**
Returns a path in the form for system calls: its bytes if they are not UTF-8, otherwise the string. A string that
`decodePath` never returns stays as it is, so that no other string names the same file.
*/
export function encodePath(path: string): string | Buffer {
	if (path.isWellFormed()) return path;
	const parts = path.split(/([\udc80-\udcff])/u);
	const bytes = Buffer.concat(
		parts.map((part, index) => (index % 2 === 1 ? Buffer.of(part.charCodeAt(0) & 0xff) : Buffer.from(part))),
	);
	return decodePath(bytes) === path ? bytes : path;
}

/** Returns the text of a path for people and models: a byte that is not UTF-8 is shown as `\xNN`. */
export function readablePath(path: string): string {
	return path.isWellFormed()
		? path
		: path.replaceAll(/[\udc80-\udcff]/gu, found => String.raw`\x${(found.charCodeAt(0) & 0xff).toString(16)}`);
}

/** Returns the length of the UTF-8 character at a position, or 0 if there is none. */
function characterLength(bytes: Buffer, at: number): number {
	for (let length = 1; length <= 4 && at + length <= bytes.length; length++)
		if (isUtf8(bytes.subarray(at, at + length))) return length;
	return 0;
}
