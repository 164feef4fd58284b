/** An image or a document that belongs to a message. Its bytes are stored outside the history, under their hash. */
export type Media = {
	readonly kind: 'image' | 'document';
	/** The type of the bytes, such as `image/png`. */
	readonly mime: string;
	readonly bytes: number;
	/** The hash of the bytes, in hex. */
	readonly sha256: string;
	/** The size of an image in pixels. */
	readonly width?: number;
	readonly height?: number;
};

/** Reads the bytes of an image or document as base64. Resolves with `undefined` if they are missing or changed. */
export type ReadMedia = (media: Media) => Promise<string | undefined>;

/**
Estimates the tokens of an image or document. A provider's own count is between half and three times the estimate.
*/
export function estimateMedia({kind, bytes, width = 0, height = 0}: Media): number {
	if (kind === 'image') return Math.min(maxImageTokens, Math.ceil((width * height) / pixelsPerToken) + frameTokens);
	return Math.min(maxDocumentTokens, Math.max(pageTokens, Math.ceil(bytes / bytesPerToken)));
}

/** Anthropic counts 750 pixels as one token, and shrinks an image that needs more tokens than `maxImageTokens`. */
const pixelsPerToken = 750;
const maxImageTokens = 1600;
const frameTokens = 10;
/** A page has 1,500 to 3,000 tokens. Its size in bytes depends on whether it is text or a scan. */
const pageTokens = 2000;
const bytesPerToken = 30;
const maxDocumentTokens = 60_000;
