import {isIP} from 'node:net';
import {connect} from 'node:tls';
import {en} from '../../../language/index.ts';
import {ConnectionProblem} from './connection-problem.ts';
import {isClosed} from './exchange.ts';
import {tlsCode} from './tls-code.ts';

type Attempt = {
	/** Whether the server sent no byte. */
	readonly wasSilent: boolean;
	readonly signal: AbortSignal | undefined;
};

/**
Returns a problem if the server expects TLS and the scheme of the URL is `http:`, or the other way round. Most servers
that expect TLS close a connection without TLS. In that case, a TLS handshake shows whether the server expects TLS.
*/
export async function wrongSchemeOf(
	error: unknown,
	url: URL,
	{wasSilent, signal}: Attempt,
): Promise<ConnectionProblem | undefined> {
	const {host} = url;
	if (url.protocol === 'https:') {
		if (tlsCode(error) !== 'ERR_SSL_WRONG_VERSION_NUMBER') return undefined;
		const sentence = en`${host} does not speak TLS. If so, write http:// instead of https:// in its address`;
		return new ConnectionProblem(sentence);
	}
	const mayExpectTls = wasSilent && isClosed(error);
	if (!beginsWithTls(error) && !(mayExpectTls && (await acceptsHandshake(url, signal)))) return undefined;
	return new ConnectionProblem(en`${host} expects TLS. Write https:// instead of http:// in its address`);
}

/**
Tells whether the server answered with TLS. Node's parser stores bytes that are not HTTP in `rawPacket`. A TLS record
begins with its type and the version 3.
*/
function beginsWithTls(error: unknown): boolean {
	if (!(error instanceof Error && 'rawPacket' in error && error.rawPacket instanceof Uint8Array)) return false;
	const [type = 0, version] = error.rawPacket;
	return type >= 0x14 && type <= 0x17 && version === 3;
}

const handshakeMs = 1000;

async function acceptsHandshake({hostname, port}: URL, signal?: AbortSignal): Promise<boolean> {
	const {promise, resolve} = Promise.withResolvers<boolean>();
	const no = () => resolve(false);
	const host = hostname.replace(/^\[(.*)\]$/, '$1');
	const socket = connect({
		host,
		servername: isIP(host) === 0 ? host : '',
		port: port === '' ? 80 : Number(port),
		// Nothing is sent over this connection, so it does not matter who the server is.
		rejectUnauthorized: false,
	});
	socket.setTimeout(handshakeMs, no);
	socket.on('secureConnect', () => resolve(true)).on('error', no);
	socket.on('close', no);
	signal?.addEventListener('abort', no, {once: true});
	const answer = await promise;
	signal?.removeEventListener('abort', no);
	socket.destroy();
	return answer;
}
