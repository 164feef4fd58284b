import http from 'node:http';
import https from 'node:https';
import {isIP, type Socket} from 'node:net';
import {TLSSocket} from 'node:tls';
import type {Duplex} from 'node:stream';

/** The server of a connection. An IPv6 address has no brackets. */
export type Place = {readonly host: string; readonly port: number};

/** An agent that can open a connection before the request is known. */
export type EarlyAgent = PlainAgent | SecureAgent;

/** Opens connections without TLS. */
export class PlainAgent extends http.Agent {
	readonly #early = new EarlyConnections();
	readonly #options: http.AgentOptions;

	constructor(options: http.AgentOptions) {
		super(options);
		this.#options = options;
	}

	override createConnection(options: http.ClientRequestArgs, callback?: Connected): Duplex | null | undefined {
		return this.#early.take(options) ?? super.createConnection(options, callback);
	}

	/** Opens a connection for the next request to a server, unless an unused connection exists. Never throws. */
	open(place: Place): void {
		if (!hasFree(this, place)) this.#early.open(place, () => super.createConnection({...this.#options, ...place}));
	}
}

/** Opens connections to servers with TLS. */
export class SecureAgent extends https.Agent {
	readonly #early = new EarlyConnections();

	override createConnection(options: https.RequestOptions, callback?: Connected): Duplex | null | undefined {
		return this.#early.take(options) ?? super.createConnection(options, callback);
	}

	/** Does the same as `PlainAgent.open`, including the TLS handshake. */
	open(place: Place): void {
		const servername = isIP(place.host) === 0 ? place.host : '';
		if (!hasFree(this, place))
			this.#early.open(place, () => super.createConnection({...this.options, ...place, servername}));
	}
}

/** Tells whether a socket can send immediately: it is connected and, if it uses TLS, its handshake is complete. */
export function isConnected(socket: Socket): boolean {
	return !socket.connecting && (!(socket instanceof TLSSocket) || socket.getPeerFinished() !== undefined);
}

type Connected = (error: Error | null, stream: Duplex) => void;

/** The options that name a server, as Node passes them to an agent. */
type Named = {readonly host?: string | null | undefined; readonly port?: number | string | null | undefined};

/** The connections of an agent that no request has taken yet: at most one for each server. */
class EarlyConnections {
	readonly #waiting = new Map<string, Duplex>();

	open(place: Place, connect: () => Duplex | null | undefined): void {
		const name = nameOf(place);
		if (this.#waiting.has(name)) return;
		const socket = connect();
		if (!isSocket(socket)) return;
		this.#waiting.set(name, socket.unref());
		// The agent's timeout closes unused connections. Once a request has taken a connection, the request reports its
		// errors.
		for (const event of ['error', 'timeout', 'close'])
			socket.on(event, () => {
				if (this.#waiting.get(name) !== socket) return;
				this.#waiting.delete(name);
				socket.destroy();
			});
	}

	take(options: Named): Duplex | undefined {
		const name = nameOf(options);
		const socket = this.#waiting.get(name);
		this.#waiting.delete(name);
		return isSocket(socket) && !socket.destroyed ? socket.ref() : undefined;
	}
}

function isSocket(stream: Duplex | null | undefined): stream is Socket {
	return stream !== null && stream !== undefined && 'unref' in stream;
}

function nameOf({host, port}: Named): string {
	return `${host}:${port}`;
}

function hasFree({freeSockets}: http.Agent, place: Place): boolean {
	return Object.keys(freeSockets).some(name => name.startsWith(`${nameOf(place)}:`));
}
