/** Returns the first `maxBytes` of a text in UTF-8, cut between code points, and the number of dropped bytes. */
export function cutText(text: string, maxBytes: number): {readonly text: string; readonly dropped: number} {
	const total = Buffer.byteLength(text);
	if (total <= maxBytes) return {text, dropped: 0};
	const bytes = Buffer.from(text);
	let end = Math.max(0, maxBytes);
	while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
	return {text: bytes.toString('utf8', 0, end), dropped: total - end};
}
