/** Bytes that can be read from any position. */
export type ByteSource = {
	readonly size: number;
	/** Returns the bytes from `position` on. Returns `length` bytes, or fewer at the end. */
	readonly read: (position: number, length: number) => Promise<Buffer>;
};

export function memorySource(bytes: Buffer): ByteSource {
	return {size: bytes.length, read: async (position, length) => bytes.subarray(position, position + length)};
}

/** Returns a source of several buffers. The buffers are not joined, because that would need twice the memory. */
export function joinedSource(pieces: readonly Buffer[]): ByteSource {
	const starts = [0];
	for (const {length} of pieces) starts.push((starts.at(-1) ?? 0) + length);
	const size = starts.at(-1) ?? 0;
	return {
		size,
		async read(position, length) {
			const end = Math.min(size, position + length);
			const found: Buffer[] = [];
			for (let index = lastStart(starts, position); index < pieces.length; index++) {
				const start = starts[index] ?? 0;
				if (start >= end) break;
				found.push((pieces[index] ?? Buffer.alloc(0)).subarray(Math.max(0, position - start), end - start));
			}
			return found.length === 1 ? (found[0] ?? Buffer.alloc(0)) : Buffer.concat(found);
		},
	};
}

function lastStart(starts: readonly number[], position: number): number {
	let [low, high] = [0, starts.length - 1];
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((starts[middle] ?? 0) <= position) low = middle;
		else high = middle - 1;
	}
	return low;
}

/** Returns a source that contains a part of another source. */
export function partOf(source: ByteSource, start: number, size: number): ByteSource {
	return {
		size,
		read: async (position, length) => source.read(start + position, Math.max(0, Math.min(length, size - position))),
	};
}

/** Yields the bytes of a source in pieces. */
export async function* piecesOf({size, read}: ByteSource): AsyncGenerator<Buffer> {
	for (let at = 0; at < size;) {
		const piece = await read(at, pieceBytes);
		if (piece.length === 0) return;
		at += piece.length;
		yield piece;
	}
}

const pieceBytes = 1_048_576;
