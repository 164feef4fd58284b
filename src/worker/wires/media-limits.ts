import type {Settings} from '../history/item.ts';
import type {Media} from '../history/media.ts';
import type {DialectName} from './dialects.ts';
import type {WireName} from './providers.ts';

/**
The limits of a server for the images and documents of one request. Sizes in bytes are those of the files, not of their
base64 text.
*/
export type MediaLimits = {
	/** The MIME types of images that the model reads. Empty if the model reads no images. */
	readonly imageTypes: readonly string[];
	readonly maxImageBytes: number;
	/** The maximum width and height in pixels. */
	readonly maxSide: number;
	readonly maxImages: number;
	/** The maximum number of PDF documents, or 0 if the model reads no documents. */
	readonly maxDocuments: number;
	readonly maxDocumentBytes: number;
	/** The maximum size of all images and documents of a request together, in bytes. */
	readonly maxTotalBytes: number;
};

/** The reason why an image or a document is not sent. `max` is the limit that it exceeds. */
export type MediaProblem =
	| {readonly reason: 'no_images' | 'no_documents'}
	| {readonly reason: 'type'; readonly mime: string}
	| {readonly reason: 'bytes' | 'side' | 'count' | 'total'; readonly max: number};

/**
Returns the limits of a server. The setting `input` lists what the model reads, if this is known and differs from what
its wire usually accepts. Changing a limit changes requests, so it requires a new version of the rules (dialects.ts).
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
Returns the setting `input` for a model. Returns `undefined` if the model reads images, or if its wire accepts no
images.
*/
export function inputSetting(wire: WireName, readsImages: boolean): readonly string[] | undefined {
	return readsImages || wireLimits[wire].imageTypes.length === 0 ? undefined : [];
}

/** Returns the limit that a single image or document exceeds, or `undefined` if it exceeds none. */
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
Returns the reason why each image or document is not sent, or `undefined` if it is sent. If there are too many, the
latest are sent. So leaving out the start of a conversation does not change what is sent after it.
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

// platform.claude.com/docs/en/build-with-claude/vision: 5 MB of base64, 8,000 pixels, 32 MB per request, and a smaller
// size for more than 20 images. /pdf-support: the same size per request.
const anthropic: MediaLimits = {
	imageTypes: all,
	maxImageBytes: 3.75 * mb,
	maxSide: 8000,
	maxImages: 20,
	maxDocuments: 20,
	maxDocumentBytes: 18 * mb,
	maxTotalBytes: 18 * mb,
};

// platform.openai.com/docs/guides/images-vision and /pdf-files: 50 MB per request, also for files.
const openai: MediaLimits = {
	imageTypes: all,
	maxImageBytes: 20 * mb,
	maxSide: Infinity,
	maxImages: 100,
	maxDocuments: 20,
	maxDocumentBytes: 20 * mb,
	maxTotalBytes: 36 * mb,
};

// ai.google.dev/gemini-api/docs/image-understanding: 20 MB for the whole request, no GIF.
const google: MediaLimits = {...openai, imageTypes: withoutGif, maxImageBytes: 14 * mb, maxTotalBytes: 14 * mb};

const wireLimits: Readonly<Record<WireName, MediaLimits>> = {
	anthropic,
	openai,
	azure: openai,
	google: {...google, maxDocumentBytes: 14 * mb},
	// cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding: 7 MB per image in a request.
	vertex: {...google, maxImageBytes: 7 * mb, maxDocumentBytes: 14 * mb},
	// docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
	bedrock: {...anthropic, maxDocuments: 5, maxDocumentBytes: 4.5 * mb},
	// Few servers with a chat completions API accept documents.
	'openai-compatible': {...openai, maxDocuments: 0},
};

const dialectLimits = {
	// console.groq.com/docs/vision: 4 MB of base64, five images.
	groq: {maxImageBytes: 3 * mb, maxImages: 5},
	// docs.mistral.ai/capabilities/vision: 10 MB, eight images.
	mistral: {maxImageBytes: 7.5 * mb, maxImages: 8},
	// docs.x.ai/docs/guides/image-understanding: 20 MB, JPEG and PNG.
	xai: {imageTypes: ['image/png', 'image/jpeg'], maxImageBytes: 15 * mb},
	// openrouter.ai/docs/features/multimodal/pdfs: OpenRouter itself parses documents for models that cannot.
	openrouter: {maxDocuments: 20},
} as const satisfies Partial<Record<DialectName, Partial<MediaLimits>>>;

function isLimited(dialect: string): dialect is keyof typeof dialectLimits {
	return Object.hasOwn(dialectLimits, dialect);
}
