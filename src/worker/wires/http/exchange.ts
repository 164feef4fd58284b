import http, {type ClientRequest, type IncomingMessage} from 'node:http';
import https from 'node:https';
import type {Socket} from 'node:net';
import {en} from '../../../language/index.ts';
import {isConnected} from './early.ts';
import type {Route} from './route.ts';
import {endOfSource, type Piece, type Source} from './source.ts';
import {refusalOf} from './tunnel.ts';

/** A request as it is sent. */
export type Outgoing = {
	readonly method?: string;
	/** The names are in lower case. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Several pieces are sent one after another. */
	readonly body?: string | Uint8Array<ArrayBuffer> | ReadonlyArray<Uint8Array<ArrayBuffer>>;
	readonly signal?: AbortSignal | undefined;
	/**
	Called with the IP address of the server once the connection is open. Not called if the connection uses a proxy.
	*/
	readonly onConnect?: ((address: string) => void) | undefined;
};

/** An answer before its body is decoded. */
export type Undecoded = {
	readonly status: number;
	readonly statusText: string;
	/** The names are in lower case. `content-encoding` is not included. */
	readonly headers: Readonly<Record<string, string>>;
	readonly encodings: string;
	/** Absent if the answer can have no body. The server can send only as fast as the source is read. */
	readonly source: Source | undefined;
};

/** One request over one connection, and its answer. */
export class Exchange implements Source {
	readonly #route: Route;
	readonly #host: string;
	readonly #signal: AbortSignal | undefined;
	readonly #request: ClientRequest;
	readonly #sentAt = performance.now();
	readonly #opened = Promise.withResolvers<Undecoded>();
	/** `isOld`: whether the connection was open before the request. */
	#connection: {readonly socket: Socket; readonly bytesBefore: number; readonly isOld: boolean} | undefined;
	#answer: IncomingMessage | undefined;
	#failure: {readonly error: unknown} | undefined;
	#hasEnded = false;
	/** Continues the waiting read. */
	#wake: (() => void) | undefined;

	constructor(route: Route, url: URL, {method = 'GET', headers, body, signal, onConnect}: Outgoing) {
		this.#route = route;
		this.#host = url.host;
		this.#signal = signal;
		const pieces = body === undefined ? undefined : piecesOf(body);
		this.#request = (route.isSecure ? https : http).request(url, {
			...route.options,
			agent: route.agent,
			method,
			headers: {
				...usualHeaders,
				...headers,
				...(pieces !== undefined && {'content-length': lengthOf(pieces)}),
				'accept-encoding': 'identity',
				...route.headers,
			},
		});
		this.#follow(this.#request, route.isDirect ? onConnect : undefined);
		signal?.addEventListener('abort', this.#onAbort, {once: true});
		for (const piece of pieces ?? []) this.#request.write(piece);
		this.#request.end();
	}

	/** Resolves when the answer has begun. */
	get opened(): Promise<Undecoded> {
		return this.#opened.promise;
	}

	/**
	Tells whether the connection was open before the request and was already closed when the request was sent. A server
	that closes a connection later may have processed the request.
	*/
	wasDead(error: unknown): boolean {
		const isEarly = performance.now() - this.#sentAt < maxRoundTripMs;
		return this.#connection?.isOld === true && isClosed(error) && this.wasSilent() && isEarly;
	}

	/** Tells whether no byte of an answer has arrived. */
	wasSilent(): boolean {
		const {socket, bytesBefore} = this.#connection ?? {};
		return socket?.bytesRead === bytesBefore;
	}

	async read(): Promise<Piece> {
		for (;;) {
			this.#signal?.throwIfAborted();
			const value: unknown = this.#hasEnded ? null : this.#answer?.read();
			if (value instanceof Uint8Array) return {done: false, value};
			if (this.#failure !== undefined) throw this.#failure.error;
			if (this.#hasEnded) return endOfSource;
			await new Promise<void>(resolve => {
				this.#wake = resolve;
			});
		}
	}

	async cancel(): Promise<void> {
		this.#end();
		this.#answer?.destroy();
	}

	#follow(request: ClientRequest, onConnect: Outgoing['onConnect']): void {
		request.on('socket', socket => {
			const isOld = request.reusedSocket || isConnected(socket);
			this.#connection = {socket, bytesBefore: socket.bytesRead, isOld};
			if (!isOld) this.#limitConnecting(socket);
			const report = () => onConnect?.(socket.remoteAddress ?? '');
			if (socket.connecting) socket.once('connect', report);
			else report();
		});
		request.on('response', answer => this.#open(answer));
		// If a server upgrades the connection, Node reports neither an answer nor an error.
		request.on('upgrade', (_, socket) => socket.destroy());
		request.on('error', error => this.#fail(error));
		request.on('close', () => {
			if (this.#answer === undefined) this.#fail(closedEarly());
		});
	}

	/** Limits the time for connecting, because the operating system would try for minutes. */
	#limitConnecting(socket: Socket): void {
		const late = () => this.#request.destroy(Object.assign(new Error('no connection'), {code: 'ETIMEDOUT'}));
		const timer = setTimeout(late, maxConnectMs);
		for (const event of [this.#route.isSecure ? 'secureConnect' : 'connect', 'close'])
			socket.once(event, () => clearTimeout(timer));
	}

	#open(answer: IncomingMessage): void {
		const {statusCode: status = 0, statusMessage: statusText = '', headers} = answer;
		const {proxy} = this.#route;
		if (proxy !== undefined && status === 407) return this.#fail(refusalOf(proxy, status, this.#host));
		if (status < 200) return this.#fail(Object.assign(new Error('no status'), {code: 'HPE_INVALID_STATUS'}));
		const {'content-encoding': encodings = '', ...others} = headers;
		const named = Object.entries(others).map(([name, value]) => [name, [value ?? ''].flat().join(', ')] as const);
		const hasBody = !bodiless.has(status);
		const source = hasBody ? this : undefined;
		this.#answer = answer;
		answer.on('error', error => this.#fail(error));
		answer.on('end', () => this.#end());
		answer.on('close', () => {
			if (!this.#hasEnded) this.#fail(closedEarly());
		});
		if (hasBody) answer.on('readable', () => this.#wake?.());
		else answer.resume();
		this.#opened.resolve({status, statusText, headers: Object.fromEntries(named), encodings, source});
	}

	/**
	Records a failure. The bytes that arrived before the failure are still read. A complete answer can no longer fail.
	*/
	#fail(error: unknown): void {
		if (this.#hasEnded || this.#answer?.complete === true) return;
		this.#signal?.removeEventListener('abort', this.#onAbort);
		this.#failure ??= {error: new Error(en`the connection ended early`, {cause: error})};
		this.#opened.reject(error);
		if (this.#answer === undefined) this.#request.destroy();
		this.#wake?.();
	}

	#end(): void {
		this.#signal?.removeEventListener('abort', this.#onAbort);
		this.#hasEnded = true;
		this.#wake?.();
	}

	readonly #onAbort = (): void => {
		this.#opened.reject(this.#signal?.reason);
		this.#request.destroy();
		this.#answer?.destroy();
		this.#wake?.();
	};
}

/** Returns the body as bytes. Node would join a string body with the headers, and encode the headers like the body. */
function piecesOf(body: NonNullable<Outgoing['body']>): readonly Uint8Array[] {
	if (typeof body === 'string') return [Buffer.from(body)];
	return body instanceof Uint8Array ? [body] : body;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
	return pieces.reduce((length, piece) => length + piece.length, 0);
}

/** Tells whether the other side closed the connection. */
export function isClosed(error: unknown): boolean {
	return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** The headers that fetch also sends by default. Some gateways refuse requests without a user agent. */
const usualHeaders = {accept: '*/*', 'user-agent': 'inkpod'};

const maxRoundTripMs = 2000;
const maxConnectMs = 30_000;

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

function closedEarly(): Error {
	return Object.assign(new Error('closed'), {code: 'ECONNRESET'});
}
