import {en} from '../../language/index.ts';
import {openGuarded} from './http/guarded-fetch.ts';
import {textOf} from './http/source.ts';
import {keyHeader} from './anthropic-key.ts';
import {tidy} from './error-facts.ts';
import {ruleFor} from './errors/rules.ts';
import {wordsOfBody} from './errors/server-words.ts';
import {failureOf} from './failure.ts';
import {mergedHeaders} from './merged-headers.ts';
import {prepareWire, type PreparedWire} from './prepare-wire.ts';
import type {WireName} from './providers.ts';
import * as texts from './texts.ts';
import {parseJson} from './values.ts';
import type {Server, Wire, WireOptions} from './wire.ts';

/** The answer of a provider about a key. `why` and `sentence` are sentences without the key. */
export type KeyCheck =
	| {readonly kind: 'accepted'; readonly host: string}
	| {readonly kind: 'refused'; readonly sentence: string}
	/** The provider could not be asked, or its answer does not say whether it accepts the key. */
	| {readonly kind: 'unchecked'; readonly why: string};

/**
Asks a provider whether it accepts the key in `options`, by requesting the provider's list of models, which costs
nothing. The request is sent with `openGuarded`, like all requests, so it follows no redirect. Never rejects.
*/
export async function askAboutKey(
	{provider, facts}: Server,
	options: WireOptions,
	timeoutMs: number = usualTimeoutMs,
): Promise<KeyCheck> {
	const ask = asks[facts.wire];
	if (ask === undefined) return {kind: 'unchecked', why: texts.noKeyCheck(provider)};
	const version = facts.hasNoVersion === true ? undefined : ask.version;
	const prepared = prepareWire({provider, facts, version, options});
	if ('reason' in prepared) return {kind: 'unchecked', why: prepared.message};
	const {apiKey = '', isBearer = false} = options;
	const headers = mergedHeaders(ask.headers(apiKey, isBearer), prepared.headers);
	return answerOf(prepared, ownPaths[provider] ?? ask.path, {headers, timeoutMs, options});
}

const usualTimeoutMs = 8000;
const maxBytes = 16 * 1024 * 1024;

type Ask = {
	readonly version: Wire['version'];
	readonly path: string;
	readonly headers: (key: string, isBearer: boolean) => Record<string, string>;
};

const bearer = (key: string) => ({authorization: `Bearer ${key}`});

/** How to request the list of models on each wire. Bedrock's runtime and Vertex have no such list. */
const asks: Readonly<Record<WireName, Ask | undefined>> = {
	anthropic: {
		version: {add: 'v1', at: 'end'},
		path: '/models?limit=1',
		headers: (key, isBearer) => ({'anthropic-version': '2023-06-01', ...keyHeader(key, isBearer)}),
	},
	openai: {version: {add: 'v1', at: 'end'}, path: '/models', headers: bearer},
	google: {
		version: {add: 'v1beta', at: 'end'},
		path: '/models?pageSize=1',
		headers: key => ({'x-goog-api-key': key}),
	},
	'openai-compatible': {version: {add: 'v1', at: 'anywhere'}, path: '/models', headers: bearer},
	azure: {version: undefined, path: '/models', headers: key => ({'api-key': key})},
	bedrock: undefined,
	vertex: undefined,
};

/**
OpenRouter lists its models without checking the key. This path describes the key (openrouter.ai/docs/api-reference).
*/
const ownPaths: Readonly<Partial<Record<string, string>>> = {openrouter: '/key'};

type AskOptions = {
	readonly headers: Readonly<Record<string, string>>;
	readonly timeoutMs: number;
	readonly options: WireOptions;
};

async function answerOf(
	{baseURL, query, context}: PreparedWire,
	path: string,
	{headers, timeoutMs, options}: AskOptions,
): Promise<KeyCheck> {
	const url = new URL(baseURL.replace(/\/$/, '') + path);
	for (const [name, value] of query) url.searchParams.append(name, value);
	const signal = AbortSignal.timeout(timeoutMs);
	try {
		const {status, source} = await openGuarded(
			url.href,
			{headers, signal},
			{bounds: {maxBytes}, base: options.fetch, network: options.network},
		);
		const body = source === undefined ? '' : await textOf(source);
		return verdictOf(status, body, context);
	} catch (error) {
		const why = signal.aborted
			? texts.noAnswerWithin(context, timeoutMs)
			: failureOf(error, context, false).message;
		return {kind: 'unchecked', why};
	}
}

function verdictOf(status: number, body: string, context: PreparedWire['context']): KeyCheck {
	const {host, secrets} = context;
	if (status >= 200 && status < 300) {
		const isAnswer = parseJson(body) !== undefined;
		return isAnswer
			? {kind: 'accepted', host}
			: {kind: 'unchecked', why: en`${texts.answerNotUnderstood(context)}.`};
	}
	const {text, codes, isWebPage} = wordsOfBody(body);
	const report = {status, words: `${text} ${codes.join(' ')}`, isWebPage, saysWait: false};
	const {reason, textOf: failureText} = ruleFor(report);
	const said = tidy(text, secrets);
	const isRefused = reason === 'unauthorized' && !(status === 403 && lacksScope.test(report.words));
	if (isRefused) return {kind: 'refused', sentence: texts.keyRefused(host, status, said)};
	const {what} = failureText(context, report);
	return {kind: 'unchecked', why: texts.failureMessage({what}, host, said)};
}

/** A key with few permissions may be able to use models but not to list them (OpenAI: restricted keys). */
const lacksScope = /missing scopes?|insufficient (?:permissions?|scopes?)|api\.model\.read/i;
