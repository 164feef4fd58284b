import {endOfSource, type Piece, type Source} from './http/source.ts';

/**
Returns the same bytes in at most about twenty pieces a second. A model sends a piece for every word, and each piece
passes through the reader, the history and the screen. The first piece after a pause is passed on immediately. An error
is passed on after everything that was read before it.
*/
export function inBatches(source: Source): Source {
	const batches = new Batches(source);
	void batches.readAll();
	return {
		read: async () => batches.read(),
		cancel: async reason => batches.cancel(reason),
	};
}

class Batches {
	readonly #source: Source;
	#pieces: Uint8Array[] = [];
	#bytes = 0;
	#sentAt = Number.NEGATIVE_INFINITY;
	#timer: NodeJS.Timeout | undefined;
	/** A read that waits for its batch. */
	#pending: PromiseWithResolvers<Piece> | undefined;
	#room: PromiseWithResolvers<void> | undefined;
	#end: {readonly error?: unknown} | undefined;

	constructor(source: Source) {
		this.#source = source;
	}

	async readAll(): Promise<void> {
		try {
			for (let piece = await this.#source.read(); !piece.done; piece = await this.#source.read())
				await this.#add(piece.value);
			this.#end = {};
		} catch (error) {
			this.#end = {error};
		}
		this.#flush();
	}

	async read(): Promise<Piece> {
		this.#pending = Promise.withResolvers<Piece>();
		const {promise} = this.#pending;
		this.#flush();
		return promise;
	}

	async cancel(reason: unknown): Promise<void> {
		clearTimeout(this.#timer);
		this.#pending?.resolve(endOfSource);
		this.#pending = undefined;
		this.#room?.resolve();
		await this.#source.cancel(reason);
	}

	/** Waits for a read while the batch is full. */
	async #add(piece: Uint8Array): Promise<void> {
		this.#pieces.push(piece);
		this.#bytes += piece.length;
		this.#flush();
		if (this.#bytes < batchBytes) return;
		this.#room = Promise.withResolvers();
		await this.#room.promise;
	}

	/** Serves the pending read, as soon as the next batch is due. */
	#flush(): void {
		if (this.#pending === undefined) return;
		if (this.#bytes === 0) this.#finish(this.#pending);
		else {
			const isDue = this.#bytes >= batchBytes || this.#end !== undefined;
			const left = isDue ? 0 : this.#sentAt + batchMs - performance.now();
			if (left > 0) this.#timer ??= setTimeout(() => this.#send(), left);
			else this.#send();
		}
	}

	#finish({resolve, reject}: PromiseWithResolvers<Piece>): void {
		if (this.#end === undefined) return;
		this.#pending = undefined;
		if ('error' in this.#end) reject(this.#end.error);
		else resolve(endOfSource);
	}

	#send(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const [first] = this.#pieces;
		if (this.#pending === undefined || first === undefined) return;
		const value = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
		this.#pending.resolve({done: false, value});
		this.#pending = undefined;
		this.#pieces = [];
		this.#bytes = 0;
		this.#sentAt = performance.now();
		this.#room?.resolve();
	}
}

/** The number of milliseconds between batches, about the time that the screen shows one frame of an answer. */
const batchMs = 48;
/** A batch with at least this many bytes is passed on immediately. A few words have fewer bytes. */
const batchBytes = 16 * 1024;
