import {en} from '../../../../language/index.ts';

/** Tells whether an address may take part in a login: https, or http on this machine. */
export function isSafeAddress(address: string | URL): boolean {
	const url = URL.parse(String(address));
	if (url === null || url.username !== '' || url.password !== '') return false;
	return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
Creates the fetch of a login. It sends requests only to safe addresses and follows no redirect, so metadata cannot lead
to another host. An answer may have `maxAnswer` bytes, and takes at most `maxMs` milliseconds.
*/
export function oauthFetch(base: typeof globalThis.fetch): typeof globalThis.fetch {
	return async (input, init) => {
		const address = input instanceof Request ? input.url : input;
		if (!isSafeAddress(address)) throw new Error(en`${originOf(address)} is neither https nor on this machine`);
		const late = AbortSignal.timeout(maxMs);
		const signal = init?.signal ? AbortSignal.any([init.signal, late]) : late;
		const response = await base(input, {...init, redirect: 'manual', signal});
		if (response.status >= 300 && response.status < 400)
			throw new Error(en`${originOf(address)} redirects to another address, which is not followed`);
		const body = await readBounded(response);
		return new Response(isEmpty(response.status) ? null : body, {
			status: response.status,
			statusText: response.statusText,
			headers: withoutLength(response.headers),
		});
	};
}

/** Bytes. */
const maxAnswer = 1024 * 1024;
const maxMs = 30_000;

function isEmpty(status: number): boolean {
	return status === 204 || status === 205 || status === 304;
}

function withoutLength(headers: Headers): Headers {
	const kept = new Headers(headers);
	for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) kept.delete(name);
	return kept;
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
	const pieces: Uint8Array[] = [];
	let size = 0;
	for await (const piece of response.body ?? []) {
		size += piece.length;
		if (size > maxAnswer) throw new Error(en`an answer of the login has more than ${maxAnswer} bytes`);
		pieces.push(piece);
	}
	return new Uint8Array(Buffer.concat(pieces));
}

function originOf(address: string | URL): string {
	return URL.parse(String(address))?.origin ?? 'an address';
}
