/**
Decodes a text. Its encoding is named by a byte order mark, the content type, or its own first bytes. Without any of
these it is UTF-8 if it is valid UTF-8, and Windows-1252 otherwise. Returns `undefined` for bytes that are not text.
*/
export function decodeText(bytes: Buffer, contentType: string): string | undefined {
	const named = markOf(bytes) ?? decoderOf(labelIn(contentType)) ?? decoderOf(declaredIn(bytes));
	const text = (named ?? guessed(bytes)).decode(bytes);
	return text.includes('\0') ? undefined : text.replaceAll(/\r\n?/g, '\n').toWellFormed();
}

function markOf(bytes: Buffer): TextDecoder | undefined {
	const [first, second, third] = bytes;
	if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8');
	if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
	return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : undefined;
}

function labelIn(contentType: string): string | undefined {
	return /;\s*charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(contentType.slice(0, 1000))?.[1];
}

/** Looks for a declaration of HTML or XML in the first bytes. Such a declaration can be read as ASCII. */
function declaredIn(bytes: Buffer): string | undefined {
	const start = bytes.toString('latin1', 0, 2048);
	const found =
		/^\s*<\?xml[^>]{0,200}\bencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(start) ??
		/<meta\b[^>]{0,400}?\bcharset\s*=\s*["']?([\w:.-]{1,40})/i.exec(start);
	// A text whose declaration can be read as ASCII is not UTF-16, whatever it says.
	return found?.[1]?.replace(/^utf-?16.*$/i, 'utf-8');
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
	if (label === undefined) return undefined;
	try {
		return new TextDecoder(label);
	} catch {
		return undefined;
	}
}

function guessed(bytes: Buffer): TextDecoder {
	try {
		new TextDecoder('utf-8', {fatal: true}).decode(bytes);
		return new TextDecoder('utf-8');
	} catch {
		return new TextDecoder('windows-1252');
	}
}
