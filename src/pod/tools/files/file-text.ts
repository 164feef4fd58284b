import {isUtf8} from 'node:buffer';

/** A text file as it is stored: its byte order mark, and the text after it with its line endings. */
export type FileText = {readonly bom: boolean; readonly raw: string};

/** Returns the text of a file's bytes. Returns `undefined` for bytes that are not UTF-8 or contain a NUL. */
export function decodeText(bytes: Buffer): FileText | undefined {
	if (!isUtf8(bytes) || bytes.includes(0)) return undefined;
	const bom = bytes.subarray(0, 3).equals(mark);
	return {bom, raw: bytes.toString('utf8', bom ? 3 : 0)};
}

export function encodeText({bom, raw}: FileText): Buffer {
	return Buffer.concat([bom ? mark : Buffer.alloc(0), Buffer.from(raw)]);
}

/** Returns a text as a model sees it. In this form every line ending is a plain newline. */
export function withPlainEnds(raw: string): string {
	return raw.replaceAll('\r\n', '\n');
}

/** Returns the text with the line endings of `like`: CRLF if most of its lines have CRLF. */
export function withEndsOf(like: string, plain: string): string {
	return mostlyCrlf(like) ? plain.replaceAll('\n', '\r\n') : plain;
}

/** Returns the kind of a text's line endings. */
export function endsOf(raw: string): 'lf' | 'crlf' | 'mixed' {
	if (!raw.includes('\r\n')) return 'lf';
	return /(?<!\r)\n/.test(raw) ? 'mixed' : 'crlf';
}

/**
Returns the text that replaces a file's text. The model does not see the byte order mark and the line endings, so these
stay. A CRLF in the model's own text also stays.
*/
export function replacingText(present: FileText | undefined, content: string): FileText {
	const marked = content.startsWith('\uFEFF');
	const raw = marked ? content.slice(1) : content;
	const bom = marked || present?.bom === true;
	return {bom, raw: present === undefined || raw.includes('\r\n') ? raw : withEndsOf(present.raw, raw)};
}

/** Returns the number of lines in a text. A final newline does not begin another line. */
export function lineCount(text: string): number {
	let count = 0;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
	return text === '' || text.endsWith('\n') ? count : count + 1;
}

const mark = Buffer.of(0xef, 0xbb, 0xbf);

function mostlyCrlf(text: string): boolean {
	let crlf = 0;
	let plain = 0;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
		if (text[at - 1] === '\r') crlf += 1;
		else plain += 1;
	}
	return crlf > plain;
}
