import type {EndRule} from './answer-end.ts';
import {encodeGemini, noteGeminiRules, type GeminiForm} from './encode/gemini.ts';
import {createGoogleTokens} from './google-token.ts';
import {createGeminiReader} from './reading/gemini/gemini-reader.ts';
import {elementsOf, fieldOf, isRecord} from './values.ts';
import type {Server, Wire, WireOptions} from './wire.ts';

/** Returns the wire of Gemini's streamGenerateContent. A thought signature is sent back with the part that had it. */
export function google(server: Server, options: WireOptions): Wire {
	return {
		...geminiWire(server, options, 'google', {dataKeys: ['google', 'googleVertex', 'vertex'], hasCallIds: true}),
		version: {add: 'v1beta', at: 'end'},
		reader: notes => createGeminiReader(notes, ['google']),
		headers: apiKey => ({'x-goog-api-key': apiKey}),
	};
}

/**
Returns the wire of Gemini on Google Vertex AI, which has the format of Gemini and another address. Vertex accepts an
API key, or a token for the credentials in a file.
*/
export function vertex(server: Server, options: WireOptions): Wire {
	const {cloud, network} = options;
	const tokens = cloud?.kind === 'google' ? createGoogleTokens(cloud.file, network) : undefined;
	return {
		...geminiWire(server, options, 'googleVertex', {
			dataKeys: ['googleVertex', 'vertex', 'google'],
			hasCallIds: false,
		}),
		version: undefined,
		// The signature is stored under both names, as in earlier versions, so that items stay the same.
		reader: notes => createGeminiReader(notes, ['googleVertex', 'vertex']),
		headers: (apiKey): SentHeaders => (apiKey === '' ? {} : {'x-goog-api-key': apiKey}),
		...(tokens !== undefined && {sign: withToken(tokens)}),
	};
}

/** A header of the user has priority over the token. */
function withToken(tokens: ReturnType<typeof createGoogleTokens>): NonNullable<Wire['sign']> {
	return async ({headers, signal}): Promise<SentHeaders> =>
		'authorization' in headers ? {} : {authorization: `Bearer ${await tokens(signal)}`};
}

type SentHeaders = Readonly<Record<string, string>>;

/** Returns the parts of the wire that Gemini and Vertex share. */
function geminiWire(
	server: Server,
	options: WireOptions,
	dataKey: string,
	form: GeminiForm,
): Omit<Wire, 'version' | 'reader' | 'headers'> {
	return {
		...server,
		options,
		dialect: () => ({dataKey, mergeUser: true}),
		noteAdditions: (request, note) => noteGeminiRules(request, {note, model: options.model, form}),
		encode: (prompt, context) => encodeGemini(prompt, context, form),
		ending,
	};
}

/** No event is marked as the last one. */
const ending: EndRule = {
	marker: /"(?:finishReason|blockReason)"\s*:\s*"/,
	read(event) {
		const reasons = elementsOf(fieldOf(event, 'candidates')).map(candidate => fieldOf(candidate, 'finishReason'));
		const all = [...reasons, fieldOf(fieldOf(event, 'promptFeedback'), 'blockReason')];
		const hasFinish = all.some(reason => typeof reason === 'string');
		return {...(hasFinish && {hasFinish}), ...(isRecord(fieldOf(event, 'usageMetadata')) && {hasUsage: true})};
	},
};
