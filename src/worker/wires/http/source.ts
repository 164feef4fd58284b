/** Reads bytes piece by piece. The reader of a `ReadableStream` is also a source. */
export type Source = {
	read(): Promise<Piece>;
	/** Closes the origin of the bytes, even during a read. */
	cancel(reason?: unknown): Promise<void>;
};

export type Piece =
	| {readonly done: false; readonly value: Uint8Array}
	| {readonly done: true; readonly value?: Uint8Array | undefined};

export const endOfSource: Piece = {done: true};

/** Returns a stream of the source's bytes. The stream reads only on demand. */
export function streamOf(source: Source): ReadableStream<Uint8Array> {
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const piece = await source.read();
				if (piece.done) controller.close();
				else controller.enqueue(piece.value);
			},
			cancel: async reason => source.cancel(reason),
		},
		{highWaterMark: 0},
	);
}

/** Returns all bytes of a source with a limited size as UTF-8 text. */
export async function textOf(source: Source): Promise<string> {
	const pieces: Uint8Array[] = [];
	for (let piece = await source.read(); !piece.done; piece = await source.read()) pieces.push(piece.value);
	return Buffer.concat(pieces).toString('utf8');
}
