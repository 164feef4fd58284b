import {en} from '../../language/index.ts';
import {createSign} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {z} from 'zod';
import {openGuarded} from './http/guarded-fetch.ts';
import {isLoopback} from './http/loopback.ts';
import type {Network} from './http/network.ts';
import {textOf} from './http/source.ts';
import {parseJson} from './values.ts';
import {CredentialsRefused} from './credentials-refused.ts';

/**
Returns a function that requests an access token for Google Cloud with the credentials in a file
(cloud.google.com/docs/authentication/application-default-credentials). A token is used until shortly before it expires.
Rejects with `CredentialsRefused`.
*/
export function createGoogleTokens(
	file: string,
	network: Network | undefined,
	now: () => number = Date.now,
): (signal: AbortSignal | null | undefined) => Promise<string> {
	let known: Token | undefined;
	return async signal => {
		if (known === undefined || known.endsAt <= now())
			known = await requestToken(file, await credentialsOf(file), {network, signal, now: now()});
		return known.text;
	};
}

type Token = {readonly text: string; readonly endsAt: number};

const usualServer = 'https://oauth2.googleapis.com/token';
const credentialsSchema = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('service_account'),
		client_email: z.string(),
		private_key: z.string(),
		private_key_id: z.string().optional(),
		token_uri: z.string().default(usualServer),
	}),
	z.object({
		type: z.literal('authorized_user'),
		client_id: z.string(),
		client_secret: z.string(),
		refresh_token: z.string(),
		token_uri: z.string().default(usualServer),
	}),
]);

type Credentials = z.infer<typeof credentialsSchema>;

async function credentialsOf(file: string): Promise<Credentials> {
	const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
		throw new CredentialsRefused(
			en`The Google credentials in ${file} cannot be read (${error.code ?? error.name}).`,
		);
	});
	const read = credentialsSchema.safeParse(parseJson(text));
	if (read.success && isTokenServer(read.data.token_uri)) return read.data;
	throw new CredentialsRefused(
		en`${file} is not the file of a service account or of a gcloud login. Check GOOGLE_APPLICATION_CREDENTIALS.`,
	);
}

function isTokenServer(address: string): boolean {
	const url = URL.parse(address);
	return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)));
}

const answerSchema = z.object({access_token: z.string().min(1), expires_in: z.number().positive().catch(600)});
const errorSchema = z.object({error: z.string(), error_description: z.string().optional()});

type Exchange = {
	readonly network: Network | undefined;
	readonly signal: AbortSignal | null | undefined;
	readonly now: number;
};

async function requestToken(file: string, credentials: Credentials, exchange: Exchange): Promise<Token> {
	const {signal, now} = exchange;
	// The client certificate is only for the provider's own server, so the token server does not get it.
	const {clientCertificate: _, ...network} = exchange.network ?? {};
	const host = new URL(credentials.token_uri).host;
	const body = new URLSearchParams(formOf(file, credentials, now)).toString();
	const init = {
		method: 'POST',
		body,
		headers: {'content-type': 'application/x-www-form-urlencoded'},
		...(signal && {signal}),
	};
	const {status, source} = await openGuarded(credentials.token_uri, init, {bounds: {maxBytes}, network}).catch(
		(error: unknown) => {
			throw new CredentialsRefused(en`The token server ${host} cannot be reached.`, error);
		},
	);
	const answer = parseJson(source === undefined ? '' : await textOf(source));
	const token = answerSchema.safeParse(answer);
	if (status < 300 && token.success) {
		const {access_token: text, expires_in: seconds} = token.data;
		return {text, endsAt: now + (seconds - marginSeconds) * 1000};
	}
	const {error} = errorSchema.safeParse(answer).data ?? {error: 'no token'};
	const reason = `${status}${/^[\w .-]{1,80}$/.test(error) ? `, ${error}` : ''}`;
	throw new CredentialsRefused(en`${host} refused the Google credentials in ${file} (${reason}).`);
}

const maxBytes = 1024 * 1024;
const marginSeconds = 60;
const scope = 'https://www.googleapis.com/auth/cloud-platform';

function formOf(file: string, credentials: Credentials, now: number): Record<string, string> {
	if (credentials.type === 'authorized_user') {
		const {client_id, client_secret, refresh_token} = credentials;
		return {grant_type: 'refresh_token', client_id, client_secret, refresh_token};
	}
	return {grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: signed(file, credentials, now)};
}

/** Returns a signed token (RFC 7523) that identifies the account and is valid for an hour. */
function signed(file: string, account: Credentials & {type: 'service_account'}, now: number): string {
	const issuedAt = Math.floor(now / 1000);
	const {client_email: issuer, private_key_id: keyId, token_uri: audience} = account;
	const head = {alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && {kid: keyId})};
	const claims = {iss: issuer, scope, aud: audience, iat: issuedAt, exp: issuedAt + 3600};
	const text = [head, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
	try {
		return `${text}.${createSign('RSA-SHA256').update(text).sign(account.private_key, 'base64url')}`;
	} catch {
		throw new CredentialsRefused(en`The private key in ${file} cannot be used.`);
	}
}
