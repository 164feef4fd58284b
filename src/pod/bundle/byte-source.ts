/** Bytes that can be read from any position. */
export type ByteSource = {
	readonly size: number;
	/** Returns the bytes from `position` on, at most `length`, and fewer only at the end. */
	readonly read: (position: number, length: number) => Promise<Buffer>;
};

export function memorySource(bytes: Buffer): ByteSource {
	return {size: bytes.length, read: async (position, length) => bytes.subarray(position, position + length)};
}

/** Returns a part of a source as a source of its own. */
export function partOf(source: ByteSource, start: number, size: number): ByteSource {
	return {
		size,
		read: async (position, length) => source.read(start + position, Math.max(0, Math.min(length, size - position))),
	};
}

/** The bytes of a source in pieces. */
export async function* piecesOf({size, read}: ByteSource): AsyncGenerator<Buffer> {
	for (let at = 0; at < size;) {
		const piece = await read(at, pieceBytes);
		if (piece.length === 0) return;
		at += piece.length;
		yield piece;
	}
}

const pieceBytes = 1_048_576;
