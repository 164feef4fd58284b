import type {Settings} from '../history/item.ts';
import type {Media} from '../history/media.ts';
import type {DialectName} from './dialects.ts';
import type {WireName} from './providers.ts';

/** The images and documents that a server takes in one request. Bytes are those of the files, not of their base64. */
export type MediaLimits = {
	/** The types of images. Empty: the model reads no images. */
	readonly imageTypes: readonly string[];
	readonly maxImageBytes: number;
	/** The most pixels in one direction. */
	readonly maxSide: number;
	readonly maxImages: number;
	/** The most PDF documents. 0: the model reads none. */
	readonly maxDocuments: number;
	readonly maxDocumentBytes: number;
	/** The bytes of all images and documents of a request together. */
	readonly maxTotalBytes: number;
};

/** Why an image or a document is not sent. `max` is the limit that it exceeds. */
export type MediaProblem =
	| {readonly reason: 'no_images' | 'no_documents'}
	| {readonly reason: 'type'; readonly mime: string}
	| {readonly reason: 'bytes' | 'side' | 'count' | 'total'; readonly max: number};

/**
Returns what a server takes. A setting `input` lists what the model reads, if that is known and differs from what its
wire usually takes. A changed limit changes requests, so it needs a new version of the rules (dialects.ts).
*/
export function mediaLimits(wire: WireName, {input, dialect}: Settings): MediaLimits {
	const own = typeof dialect === 'string' && isLimited(dialect) ? dialectLimits[dialect] : {};
	const limits = {...wireLimits[wire], ...own};
	if (!Array.isArray(input)) return limits;
	return {
		...limits,
		...(!input.includes('image') && {imageTypes: []}),
		maxDocuments: input.includes('document') ? Math.max(1, limits.maxDocuments) : 0,
	};
}

/**
Returns the setting `input` for a model that reads images, or does not. Returns `undefined` if its wire takes the same.
*/
export function inputSetting(wire: WireName, readsImages: boolean): readonly string[] | undefined {
	return readsImages || wireLimits[wire].imageTypes.length === 0 ? undefined : [];
}

/** Returns the limit that an image or document exceeds by itself. */
export function mediaProblem(media: Media, limits: MediaLimits): MediaProblem | undefined {
	const {kind, mime, bytes, width = 0, height = 0} = media;
	if (kind === 'document') {
		if (limits.maxDocuments === 0) return {reason: 'no_documents'};
		return bytes > limits.maxDocumentBytes ? {reason: 'bytes', max: limits.maxDocumentBytes} : undefined;
	}
	if (limits.imageTypes.length === 0) return {reason: 'no_images'};
	if (!limits.imageTypes.includes(mime)) return {reason: 'type', mime};
	if (bytes > limits.maxImageBytes) return {reason: 'bytes', max: limits.maxImageBytes};
	return Math.max(width, height) > limits.maxSide ? {reason: 'side', max: limits.maxSide} : undefined;
}

/**
Returns why each of these is not sent, in their order. If there are too many, the latest are sent: the start of a
conversation can then be left out without a change of what follows.
*/
export function mediaProblems(all: readonly Media[], limits: MediaLimits): ReadonlyArray<MediaProblem | undefined> {
	const left = {image: limits.maxImages, document: limits.maxDocuments, bytes: limits.maxTotalBytes};
	return all
		.toReversed()
		.map((media): MediaProblem | undefined => {
			const own = mediaProblem(media, limits);
			if (own !== undefined) return own;
			if (left[media.kind] === 0)
				return {reason: 'count', max: media.kind === 'image' ? limits.maxImages : limits.maxDocuments};
			if (media.bytes > left.bytes) {
				left.bytes = 0;
				return {reason: 'total', max: limits.maxTotalBytes};
			}
			left[media.kind] -= 1;
			left.bytes -= media.bytes;
			return undefined;
		})
		.toReversed();
}

const mb = 1024 * 1024;
const all = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
const withoutGif = ['image/png', 'image/jpeg', 'image/webp'] as const;

// platform.claude.com/docs/en/build-with-claude/vision: 5 MB of base64, 8,000 pixels, 32 MB a request, and a smaller
// size for more than 20 images. /pdf-support: the same size of a request.
const anthropic: MediaLimits = {
	imageTypes: all,
	maxImageBytes: 3.75 * mb,
	maxSide: 8000,
	maxImages: 20,
	maxDocuments: 20,
	maxDocumentBytes: 18 * mb,
	maxTotalBytes: 18 * mb,
};

// platform.openai.com/docs/guides/images-vision and /pdf-files: 50 MB a request, also of files.
const openai: MediaLimits = {
	imageTypes: all,
	maxImageBytes: 20 * mb,
	maxSide: Infinity,
	maxImages: 100,
	maxDocuments: 20,
	maxDocumentBytes: 20 * mb,
	maxTotalBytes: 36 * mb,
};

// ai.google.dev/gemini-api/docs/image-understanding: 20 MB a request with everything in it, no GIF.
const google: MediaLimits = {...openai, imageTypes: withoutGif, maxImageBytes: 14 * mb, maxTotalBytes: 14 * mb};

const wireLimits: Readonly<Record<WireName, MediaLimits>> = {
	anthropic,
	openai,
	azure: openai,
	google: {...google, maxDocumentBytes: 14 * mb},
	// cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding: 7 MB an image in a request.
	vertex: {...google, maxImageBytes: 7 * mb, maxDocumentBytes: 14 * mb},
	// docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
	bedrock: {...anthropic, maxDocuments: 5, maxDocumentBytes: 4.5 * mb},
	// Few servers of chat completions take documents.
	'openai-compatible': {...openai, maxDocuments: 0},
};

const dialectLimits = {
	// console.groq.com/docs/vision: 4 MB of base64, five images.
	groq: {maxImageBytes: 3 * mb, maxImages: 5},
	// docs.mistral.ai/capabilities/vision: 10 MB, eight images.
	mistral: {maxImageBytes: 7.5 * mb, maxImages: 8},
	// docs.x.ai/docs/guides/image-understanding: 20 MB, JPEG and PNG.
	xai: {imageTypes: ['image/png', 'image/jpeg'], maxImageBytes: 15 * mb},
	// openrouter.ai/docs/features/multimodal/pdfs: it parses documents itself for models that do not.
	openrouter: {maxDocuments: 20},
} as const satisfies Partial<Record<DialectName, Partial<MediaLimits>>>;

function isLimited(dialect: string): dialect is keyof typeof dialectLimits {
	return Object.hasOwn(dialectLimits, dialect);
}
