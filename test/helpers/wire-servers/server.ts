import {createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Answer, StepOf} from '../../../src/worker/wires/script.ts';
import {anthropicSpeech} from './anthropic.ts';
import type {DialectName} from '../../../src/worker/wires/dialects.ts';
import {chatSpeech} from './chat/speech.ts';
import {compatibleSpeech} from './compatible.ts';
import {googleSpeech} from './google.ts';
import {createLedger, type Ledger} from './ledger.ts';
import {openaiSpeech} from './openai.ts';
import {countedIn} from './window.ts';
import {isInterruption, withModelName, type Json, type Speech} from './speech.ts';

/** The protocols that a server speaks. */
export const wires = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
export type WireName = (typeof wires)[number];

/** An answer of the script, or a plain HTTP answer. */
export type ServerAnswer = Answer | HttpAnswer;
export type HttpAnswer = {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
};

export type ServerOptions = {
	/** Whose rules the server follows (openai-compatible). Absent: those of a server without a name. */
	readonly dialect?: DialectName;
	/** Whether the server refuses consecutive user messages (openai-compatible, google). */
	readonly alternate?: boolean;
	/**
	How a `cut` happens: the server destroys the socket, or ends the body without the closing word. Default: `drop`.
	*/
	readonly cutBy?: 'drop' | 'end';
	/** Whether the connection stays open after the last event, until the other side closes it. */
	readonly holdsOpen?: boolean;
	/** What the server refuses, instead of what the real service refuses. */
	readonly refuses?: (body: Json) => HttpAnswer | undefined;
	/** The port. Default: a free one. */
	readonly port?: number;
	/** The only key that the server accepts. It refuses requests without it with 401, and names the key that they had. */
	readonly key?: string;
	/** The list of models. If absent, the server has no such list. */
	readonly models?: Json;
	/** Chooses the answer to a request instead of the order of the script. The promise delays it. */
	readonly choose?: (request: RecordedRequest) => Promise<ServerAnswer | undefined>;
	/** The signatures of an earlier server. */
	readonly ledger?: Ledger;
	/**
	Counts the tokens of each request (openai-compatible). A request of more tokens than this loses its first messages,
	as at Ollama.
	*/
	readonly window?: number;
	/** Waits for the `delayMs` before a piece. A test may replace the clock and decide when an answer continues. */
	readonly delay?: (ms: number) => Promise<unknown>;
};

export type RecordedRequest = {
	readonly url: string;
	readonly headers: IncomingHttpHeaders;
	/** The body's bytes as text. */
	readonly body: string;
	readonly json: Json;
	/** Resolves when the connection of this request is closed, by either side. */
	readonly closed: Promise<void>;
};

export type WireServer = AsyncDisposable & {
	/** The base URL, without a version path. */
	readonly url: string;
	readonly requests: readonly RecordedRequest[];
	/** Requests without a body. */
	readonly looks: ReadonlyArray<Pick<RecordedRequest, 'url' | 'headers'>>;
	/** The reasons for refused requests, in order. Empty after a valid conversation. */
	readonly refusals: readonly string[];
	readonly ledger: Ledger;
	close(): Promise<void>;
};

/**
Starts a strict server on loopback. It answers its requests in order from a script. It refuses with 400 whatever the
real service refuses: unpaired calls, system messages within the conversation, signatures that do not come back
unchanged. A refused request uses up no answer. Close the server at the end of the test, or bind it with `await using`.
*/
export async function startServer(
	wire: WireName,
	answers: readonly ServerAnswer[],
	options: ServerOptions = {},
): Promise<WireServer> {
	const speech = options.dialect === undefined ? speeches[wire] : chatSpeech(options.dialect);
	const ledger = options.ledger ?? createLedger();
	const requests: RecordedRequest[] = [];
	const refusals: string[] = [];
	const looks: Array<Pick<RecordedRequest, 'url' | 'headers'>> = [];
	let count = 0;

	const server = createServer((message, response) => {
		if (message.method === 'GET') {
			looks.push({url: message.url ?? '', headers: message.headers});
			void sendHttp(
				response,
				isRefused(message, options)
					? {status: 401, body: JSON.stringify(speech.errorBody(401, refusedKey(message)))}
					: lookAt(message.url ?? '', options),
			);
			return;
		}
		void (async () => {
			const request = await record(message, response);
			requests.push(request);
			if (isRefused(message, options)) {
				sendError(response, speech, 401, refusedKey(message));
				return;
			}
			const own = options.refuses?.(request.json);
			if (own !== undefined) {
				refusals.push(own.body ?? '');
				await sendHttp(response, own);
				return;
			}
			const refusal = refusalOf(speech, request, ledger, options);
			const answer = options.choose === undefined ? answers[count] : await options.choose(request);
			if (refusal !== undefined) refusals.push(refusal);
			if (refusal !== undefined || answer === undefined) {
				const ended = `The script is at its end: it has ${answers.length} answers.`;
				sendError(response, speech, speech.refusalStatus ?? 400, refusal ?? ended);
				return;
			}
			const n = count;
			count += 1;
			await (isHttpAnswer(answer)
				? sendHttp(response, answer)
				: play(response, speech, {
						answer: options.window === undefined ? answer : countedIn(options.window, answer, request.json),
						n,
						request,
						ledger,
						cutBy: options.cutBy ?? 'drop',
						holdsOpen: options.holdsOpen === true,
						delay: options.delay ?? sleep,
					}));
		})();
	});
	await new Promise<void>(resolve => {
		server.listen(options.port ?? 0, '127.0.0.1', resolve);
	});
	const close = async (): Promise<void> => {
		if (!server.listening) return;
		const closed = new Promise<void>(resolve => {
			server.close(() => resolve());
		});
		server.closeAllConnections();
		await closed;
	};
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		looks,
		refusals,
		ledger,
		close,
		[Symbol.asyncDispose]: close,
	};
}

/** Returns why the real service would refuse a request. */
function refusalOf(
	speech: Speech,
	request: RecordedRequest,
	ledger: Ledger,
	{refuses, alternate}: ServerOptions,
): string | undefined {
	if (refuses !== undefined) return undefined;
	return speech.path.test(request.url.split('?')[0]!)
		? speech.refuse({...request, body: request.json}, ledger, {alternate: alternate === true})
		: `Nothing is at ${request.url}.`;
}

const speeches: Readonly<Record<WireName, Speech>> = {
	anthropic: anthropicSpeech,
	openai: openaiSpeech,
	google: googleSpeech,
	'openai-compatible': compatibleSpeech,
};

/** Returns the HTTP status for a script's error reason. For `other`, no status is retried. */
const statuses: Readonly<Record<StepOf<'error'>['reason'], number>> = {
	unreachable: 0,
	stalled: 0,
	unauthorized: 401,
	not_found: 404,
	rate_limited: 429,
	overloaded: 503,
	too_long: 413,
	bad_request: 400,
	bad_response: 200,
	other: 402,
};

/** Returns the answer to a request without a body. A server with a key lists its models at any version. */
function lookAt(url: string, {key, models}: ServerOptions): HttpAnswer {
	const isListed = models !== undefined && /\/v1\/models$/.test(url);
	if (isListed) return {status: 200, body: JSON.stringify(models)};
	return key !== undefined && /\/models(?:\?|$)/.test(url) ? {status: 200, body: '{"data": []}'} : {status: 404};
}

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const;

function isRefused({headers}: IncomingMessage, {key}: ServerOptions): boolean {
	const sent = keyHeaders.flatMap(name => headers[name] ?? []).map(value => value.replace(/^Bearer /, ''));
	return key !== undefined && !sent.includes(key);
}

/** Servers repeat the key in their words. */
function refusedKey({headers}: IncomingMessage): string {
	return `Incorrect API key provided: ${keyHeaders.flatMap(name => headers[name] ?? []).join()}.`;
}

function isHttpAnswer(answer: ServerAnswer): answer is HttpAnswer {
	return 'status' in answer;
}

async function record(message: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	const body = Buffer.concat(chunks).toString('utf8');
	const closed = new Promise<void>(resolve => {
		response.on('close', resolve);
	});
	return {url: message.url ?? '', headers: message.headers, body, json: JSON.parse(body), closed};
}

async function sendHttp(response: ServerResponse, {status, headers = {}, body = ''}: HttpAnswer): Promise<void> {
	response.writeHead(status, {'content-type': 'application/json', ...headers}).end(body);
}

function sendError(
	response: ServerResponse,
	speech: Speech,
	status: number,
	message: string,
	headers: Record<string, string> = {},
): void {
	response
		.writeHead(status, {'content-type': 'application/json', ...headers})
		.end(JSON.stringify(speech.errorBody(status, message)));
}

type Playing = {
	readonly answer: Answer;
	readonly n: number;
	readonly request: RecordedRequest;
	readonly ledger: Ledger;
	readonly cutBy: 'drop' | 'end';
	readonly holdsOpen: boolean;
	readonly delay: (ms: number) => Promise<unknown>;
};

async function play(
	response: ServerResponse,
	speech: Speech,
	{answer, n, request, ledger, cutBy, holdsOpen, delay}: Playing,
): Promise<void> {
	const [first] = answer;
	if (first !== undefined && isInterruption(first)) return interrupt(response, speech, first, cutBy, false);
	response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
	for (const frame of speech.frames(answer, n, ledger)) {
		if (response.destroyed) return undefined;
		if ('step' in frame) return interrupt(response, speech, frame.step, cutBy, true);
		if (frame.delayMs !== undefined) await delay(frame.delayMs);
		await write(response, withModelName(frame.sse, answer, request));
	}
	if (!holdsOpen) response.end();
	return undefined;
}

async function interrupt(
	response: ServerResponse,
	speech: Speech,
	step: StepOf<'error' | 'cut' | 'stall'>,
	cutBy: 'drop' | 'end',
	began: boolean,
): Promise<void> {
	if (step.type === 'stall' || (step.type === 'error' && step.reason === 'stalled')) return;
	if (step.type === 'cut' || step.reason === 'unreachable') {
		if (!began && step.type === 'cut')
			response.writeHead(200, {'content-type': 'text/event-stream'}).flushHeaders();
		if (cutBy === 'end' && step.type === 'cut') response.end();
		else response.destroy();
		return;
	}
	const status = statuses[step.reason];
	if (step.reason === 'bad_response') {
		if (!began) response.writeHead(200, {'content-type': 'text/event-stream'});
		response.end('data: {"strange":\n\n');
	} else if (began) response.end(speech.errorFrame(status, step.message));
	else
		sendError(
			response,
			speech,
			status,
			step.message,
			step.retryAfterMs === undefined ? {} : {'retry-after': String(step.retryAfterMs / 1000)},
		);
}

async function write(response: ServerResponse, text: string): Promise<void> {
	await new Promise<void>(resolve => {
		response.write(text, () => resolve());
	});
}
