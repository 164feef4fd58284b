import {en} from '../../language/index.ts';

/** Returns the media type in the first bytes of a file, for types that a user views instead of reading. */
export function mediaType(head: Uint8Array): string | undefined {
	const text = Buffer.from(head).toString('latin1');
	return signatures.find(({magic}) => magic.test(text))?.name;
}

/** The number of first bytes that `mediaType` needs. */
export const mediaHeadBytes = 16;

const signatures: ReadonlyArray<{readonly magic: RegExp; readonly name: string}> = [
	{magic: /^\u0089PNG\r\n\u001A\n/, name: en`a PNG image`},
	{magic: /^\u00FF\u00D8\u00FF/, name: en`a JPEG image`},
	{magic: /^GIF8[79]a/, name: en`a GIF image`},
	{magic: /^RIFF[^]{4}WEBP/, name: en`a WebP image`},
	{magic: /^[^]{4}ftyp(?:avif|avis)/, name: en`an AVIF image`},
	{magic: /^[^]{4}ftyp(?:heic|heix|mif1)/, name: en`a HEIC image`},
	{magic: /^BM[^]{4}\0{4}/, name: en`a BMP image`},
	{magic: /^\0\0\u0001\0/, name: en`an icon`},
	{magic: /^(?:II\*\0|MM\0\*)/, name: en`a TIFF image`},
	{magic: /^%PDF-/, name: en`a PDF document`},
];
