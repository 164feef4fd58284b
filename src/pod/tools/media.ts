/** Returns the media type in the first bytes of a file, for types that a user views instead of reading. */
export function mediaType(head: Uint8Array): string | undefined {
	const text = Buffer.from(head).toString('latin1');
	return signatures.find(({magic}) => magic.test(text))?.name;
}

/** The number of first bytes that `mediaType` needs. */
export const mediaHeadBytes = 16;

const signatures: ReadonlyArray<{readonly magic: RegExp; readonly name: string}> = [
	{magic: /^\u0089PNG\r\n\u001A\n/, name: 'a PNG image'},
	{magic: /^\u00FF\u00D8\u00FF/, name: 'a JPEG image'},
	{magic: /^GIF8[79]a/, name: 'a GIF image'},
	{magic: /^RIFF[^]{4}WEBP/, name: 'a WebP image'},
	{magic: /^[^]{4}ftyp(?:avif|avis)/, name: 'an AVIF image'},
	{magic: /^[^]{4}ftyp(?:heic|heix|mif1)/, name: 'a HEIC image'},
	{magic: /^BM[^]{4}\0{4}/, name: 'a BMP image'},
	{magic: /^\0\0\u0001\0/, name: 'an icon'},
	{magic: /^(?:II\*\0|MM\0\*)/, name: 'a TIFF image'},
	{magic: /^%PDF-/, name: 'a PDF document'},
];
