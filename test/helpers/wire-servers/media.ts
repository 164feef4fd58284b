import {mediaType} from '../../../src/pod/ground/files/media-type.ts';

/** Returns why a server refuses an image or document, as it checks the bytes and not only their name. */
export function refuseMedia(mime: unknown, data: unknown): string | undefined {
	if (typeof data !== 'string' || !/^[A-Za-z\d+/]+={0,2}$/.test(data)) return 'invalid base64 data.';
	const found = mediaType(Buffer.from(data, 'base64'))?.mime;
	return found === mime ? undefined : `the data is ${found ?? 'unknown'}, but was declared as ${String(mime)}.`;
}

/** Returns why a server refuses a data URL. */
export function refuseDataUrl(url: unknown): string | undefined {
	const parts = typeof url === 'string' ? /^data:([a-z]+\/[a-z]+);base64,(.*)$/.exec(url) : null;
	return parts === null ? 'a data URL is expected.' : refuseMedia(parts[1], parts[2]);
}
