import {Readable, pipeline, type Transform} from 'node:stream';
import {constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress} from 'node:zlib';
import {AnswerRefused} from './refusal.ts';
import {endOfSource, type Source} from './source.ts';

/**
Decodes one content encoding, only as fast as the result is read. inkpod asks for no encoding, but some servers encode
anyway. inkpod refuses more than one encoding, because only a decompression bomb has several.
*/
export function decoded(source: Source, encodings: string): Source {
	const names = encodings
		.toLowerCase()
		.split(',')
		.map(name => name.trim())
		.filter(name => name !== '' && name !== 'identity');
	const [name, second] = names;
	if (name === undefined) return source;
	const makeDecoder = decoders.get(name);
	if (makeDecoder === undefined || second !== undefined) throw new AnswerRefused('encoding', shownEncodings(names));
	return throughDecoder(source, makeDecoder(), name);
}

const {Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_d_windowLogMax: windowLogMax} = constants;
const gunzip = () => createGunzip({flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH});

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
	['gzip', gunzip],
	['x-gzip', gunzip],
	['deflate', () => createInflate({flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH})],
	['br', () => createBrotliDecompress({flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH})],
	// RFC 8878 requires every decoder to support a window of 8 MB.
	['zstd', () => createZstdDecompress({params: {[windowLogMax]: 23}})],
]);

function throughDecoder(source: Source, decoder: Transform, name: string): Source {
	let sourceError: unknown;
	const pieces = async function* () {
		try {
			for (let piece = await source.read(); !piece.done; piece = await source.read()) yield piece.value;
		} catch (error) {
			sourceError = error;
			throw error;
		}
	};
	pipeline(Readable.from(pieces()), decoder, () => {});
	const plain: AsyncIterator<Uint8Array> = decoder[Symbol.asyncIterator]();
	const cancel = async (reason?: unknown) => {
		decoder.destroy();
		await source.cancel(reason);
	};
	return {
		async read() {
			try {
				const {done, value} = await plain.next();
				return done === true ? endOfSource : {done: false, value};
			} catch {
				void cancel().catch(() => {});
				throw sourceError ?? new AnswerRefused('not_decodable', name);
			}
		},
		cancel,
	};
}

function shownEncodings(names: readonly string[]): string {
	const known = names.filter(name => /^[\w-]{1,16}$/.test(name)).slice(0, 3);
	return `${known.join(', ')}${known.length < names.length ? ' …' : ''}`;
}
