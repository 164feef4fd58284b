/** The type of a file according to its first bytes, and the size of an image in pixels. */
export type MediaType =
	| {readonly kind: 'image'; readonly mime: ImageMime; readonly width: number; readonly height: number}
	| {readonly kind: 'document'; readonly mime: 'application/pdf'};

/**
The maximum size of an image or document. inkpod has the whole file in memory when it attaches the file and when it
sends the file.
*/
export const maxMediaBytes = 24 * 1024 * 1024;

export type ImageMime = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/**
Returns the type of an image or a PDF document by its bytes. Ignores the name of the file. Returns `undefined` for other
files, and for an image whose header is damaged. Reads headers only and decodes nothing.
*/
export function mediaType(bytes: Buffer): MediaType | undefined {
	if (bytes.toString('latin1', 0, 5) === '%PDF-') return {kind: 'document', mime: 'application/pdf'};
	for (const [mime, read] of Object.entries(readers)) {
		const size = read(bytes);
		if (size !== undefined && isSize(size.width) && isSize(size.height))
			return {kind: 'image', mime: mime as ImageMime, ...size};
	}
	return undefined;
}

type Size = {readonly width: number; readonly height: number};

function isSize(pixels: number): boolean {
	return pixels > 0 && pixels <= maxPixels;
}

/** No image format of the web allows more pixels on a side. */
const maxPixels = 0x7fff_ffff;

const readers: Readonly<Record<ImageMime, (bytes: Buffer) => Size | undefined>> = {
	'image/png': pngSize,
	'image/jpeg': jpegSize,
	'image/gif': gifSize,
	'image/webp': webpSize,
};

/** PNG (RFC 2083): the signature, then the chunk IHDR. */
function pngSize(bytes: Buffer): Size | undefined {
	if (bytes.length < 33 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
	if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
	return {width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20)};
}

/** GIF87a and GIF89a: the size of the logical screen follows the signature. */
function gifSize(bytes: Buffer): Size | undefined {
	if (bytes.length < 13 || !/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return undefined;
	return {width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8)};
}

/** JPEG (ITU T.81): segments with a marker and a length, up to a start of frame. */
function jpegSize(bytes: Buffer): Size | undefined {
	if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8 || bytes[2] !== 0xff) return undefined;
	let at = 2;
	for (let segments = 0; segments < maxSegments && at + 9 <= bytes.length; segments++) {
		if (bytes[at] !== 0xff) return undefined;
		const marker = bytes[at + 1] ?? 0;
		if (marker === 0xff) at += 1;
		else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
		else if (isFrame(marker)) return {width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5)};
		else if (marker === 0xd9 || marker === 0xda) return undefined;
		else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
	}
	return undefined;
}

/** Tells whether a marker is a start of frame of any coding. C4 and CC are tables, and C8 is reserved. */
function isFrame(marker: number): boolean {
	return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** A camera writes a few dozen segments, and a colour profile may need a few hundred. */
const maxSegments = 4096;

/** WebP (RFC 9649): lossy, lossless or extended. */
function webpSize(bytes: Buffer): Size | undefined {
	if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
		return undefined;
	const chunk = bytes.toString('latin1', 12, 16);
	if (chunk === 'VP8 ') {
		if (bytes.readUIntBE(23, 3) !== 0x9d_01_2a) return undefined;
		return {width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff};
	}
	if (chunk === 'VP8L') {
		if (bytes[20] !== 0x2f) return undefined;
		const bits = bytes.readUInt32LE(21);
		return {width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1};
	}
	return chunk === 'VP8X' ? {width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1} : undefined;
}
