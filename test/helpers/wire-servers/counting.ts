import type {DialectName} from '../../../src/worker/wires/dialects.ts';
import type {Answer} from '../../../src/worker/wires/script.ts';
import {chatSpeech} from './chat/speech.ts';
import {createLedger} from './ledger.ts';
import {
	startServer,
	type HttpAnswer,
	type RecordedRequest,
	type ServerAnswer,
	type WireName,
	type WireServer,
} from './server.ts';
import {withModelName, type Json} from './speech.ts';

/** The token counts that a server reports about a request. */
export type Counted = {readonly input: number; readonly cacheRead?: number};

/** The sizes of a request in tokens. */
export type Sizes = {
	/** The system prompt and the tools. */
	readonly tools: number;
	/** The messages, each with its role. */
	readonly messages: ReadonlyArray<{readonly role: string; readonly tokens: number}>;
	/** The whole request, and the part of it that the request before it had. */
	readonly whole: number;
	readonly cached: number;
	readonly n: number;
};

type CountingOptions = {
	readonly wire?: WireName;
	readonly dialect?: DialectName;
	readonly count: (sizes: Sizes) => Counted;
	/** Changes an event of the stream (chat completions), such as the one with the counts. */
	readonly reshape?: (event: Json, sizes: Sizes) => Json;
};

/** Starts a strict server that counts the tokens of each request in a way of its own. */
export async function startCountingServer(answers: readonly Answer[], options: CountingOptions): Promise<WireServer> {
	const {wire = 'openai-compatible', dialect = 'ollama', count, reshape} = options;
	const speech = chatSpeech(dialect);
	const ledger = createLedger();
	let n = 0;
	let before: Sizes | undefined;
	const choose = async (request: Pick<RecordedRequest, 'url' | 'json'>): Promise<ServerAnswer | undefined> => {
		const {json} = request;
		const sizes = sizesOf(json, before, n);
		const answer = answers[n];
		before = sizes;
		n += 1;
		if (answer === undefined) return undefined;
		const counted: Answer = [...answer, {type: 'usage', output: 20, ...count(sizes)}];
		if (reshape === undefined) return counted;
		const frames = [...speech.frames(counted, n, ledger)];
		const sent = frames.flatMap(frame => ('sse' in frame ? [withModelName(frame.sse, counted, request)] : []));
		return streamOf(sent.map(sse => reshaped(sse, sizes)));
	};
	function reshaped(sse: string, sizes: Sizes): string {
		const [, data = ''] = /^data: (.*)\n\n$/u.exec(sse) ?? [];
		return data === '[DONE]' ? sse : `data: ${JSON.stringify(reshape?.(JSON.parse(data), sizes))}\n\n`;
	}
	return startServer(wire, [], {choose, ...(wire === 'openai-compatible' && {dialect})});
}

/** A tokenizer whose counts differ from inkpod's estimate. It has tokens for runs of one mark. */
export function tokensOf(value: Json): number {
	return Math.ceil(JSON.stringify(value ?? '').replaceAll(/([^\w\s])\1{15}/gu, '$1').length / 4);
}

function sizesOf(body: Json, before: Sizes | undefined, n: number): Sizes {
	const {messages: said = body.contents, ...rest} = body;
	const list: readonly Json[] = said;
	const own = {tools: rest.tools, system: rest.system ?? rest.systemInstruction};
	const messages = list.map(message => ({role: message.role, tokens: tokensOf(message)}));
	const tools = tokensOf(own);
	const whole = tools + sum(messages.map(({tokens}) => tokens));
	const cached = before === undefined ? 0 : tools + sum(messages.slice(0, before.messages.length).map(m => m.tokens));
	return {tools, messages, whole, cached, n};
}

function streamOf(frames: readonly string[]): HttpAnswer {
	return {status: 200, headers: {'content-type': 'text/event-stream'}, body: frames.join('')};
}

export function sum(counts: readonly number[]): number {
	return counts.reduce((all, count) => all + count, 0);
}
