import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {oauthTexts} from './texts.ts';

/** What the browser brought back. `error` is the server's word, and untrusted. */
type Redirected =
	| {readonly kind: 'code'; readonly code: string; readonly state: string; readonly issuer: string | undefined}
	| {readonly kind: 'refused'; readonly error: string}
	| {readonly kind: 'timeout'};

type RedirectListener = {
	/** The address to which the browser returns. */
	readonly redirectUrl: string;
	/** Waits for the one request with this state. */
	redirected(state: () => string | undefined): Promise<Redirected>;
	close(): void;
};

/** Listens on a random port of this machine for the browser's return. Other requests get no answer but 404. */
export async function listenForRedirect(signal: AbortSignal, timeoutMs = 5 * 60_000): Promise<RedirectListener> {
	const {promise, resolve} = Promise.withResolvers<Redirected>();
	let expected = (): string | undefined => undefined;
	const server = createServer((request, response) => {
		const found = read(request, port, expected());
		if (found === undefined) return answer(response, 404, '');
		answer(response, 200, found.kind === 'code' ? oauthTexts.pageDone : oauthTexts.pageRefused);
		resolve(found);
	});
	server.headersTimeout = 10_000;
	await new Promise<void>((done, failed) => {
		server.once('error', failed);
		server.listen(0, '127.0.0.1', done);
	});
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	const timer = setTimeout(() => resolve({kind: 'timeout'}), timeoutMs);
	signal.addEventListener('abort', () => resolve({kind: 'timeout'}), {once: true});
	return {
		redirectUrl: `http://127.0.0.1:${port}/callback`,
		async redirected(state) {
			expected = state;
			return promise;
		},
		close() {
			clearTimeout(timer);
			server.close();
			server.closeAllConnections();
		},
	};
}

/** Another page in the browser can send requests too, so one without the state is ignored. */
function read({method, url = '', headers}: IncomingMessage, port: number, state: string | undefined) {
	if (method !== 'GET' || headers.host !== `127.0.0.1:${port}` || url.length > maxAddress) return undefined;
	const {pathname, searchParams} = new URL(url, `http://127.0.0.1:${port}`);
	const given = searchParams.get('state');
	if (pathname !== '/callback' || state === undefined || given !== state) return undefined;
	const [code, error, issuer] = ['code', 'error', 'iss'].map(name => searchParams.get(name) ?? undefined);
	if (error !== undefined) return {kind: 'refused', error} as const;
	return code === undefined ? undefined : ({kind: 'code', code, state: given, issuer} as const);
}

const maxAddress = 16 * 1024;

function answer(response: ServerResponse, status: number, text: string): void {
	response.writeHead(status, {
		'content-type': 'text/plain; charset=utf-8',
		'cache-control': 'no-store',
		'content-security-policy': "default-src 'none'",
		connection: 'close',
	});
	response.end(text);
}
