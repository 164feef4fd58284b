import type {EndRule} from './answer-end.ts';
import {encodeResponses} from './encode/responses.ts';
import {noteErrorObjects, noteUnsigned} from './encode/noted-rules.ts';
import {wordIds} from './prompt.ts';
import {createResponsesReader} from './reading/responses/responses-reader.ts';
import {knownSettings} from './settings.ts';
import {fieldOf} from './values.ts';
import type {Server, Wire, WireOptions} from './wire.ts';

/** Returns the wire of OpenAI's Responses API. */
export function openai(server: Server, options: WireOptions): Wire {
	return responsesModel(server, options, {
		dataKey: 'openai',
		version: {add: 'v1', at: 'anywhere'},
		headers: key => ({authorization: `Bearer ${key}`}),
	});
}

/**
Returns the wire of the Responses API of Azure OpenAI, where the model is the name of a deployment. The key is sent in
the header `api-key`, because older API versions refuse a key as a bearer token.
*/
export function azure(server: Server, options: WireOptions): Wire {
	return responsesModel(server, options, {
		dataKey: 'azure',
		version: undefined,
		headers(key, own): Readonly<Record<string, string>> {
			const hasToken = Object.keys(own).some(name => name.toLowerCase() === 'authorization');
			return key === '' || hasToken ? {} : {'api-key': key};
		},
	});
}

type ResponsesServer = Pick<Wire, 'version' | 'headers'> & {
	/** The key of the server's own data in a part. */
	readonly dataKey: 'openai' | 'azure';
};

/**
Returns the wire of a server with the Responses API. The server is asked to store nothing, so reasoning arrives
encrypted and is sent back with its item id.
*/
function responsesModel(server: Server, options: WireOptions, {dataKey, version, headers}: ResponsesServer): Wire {
	return {
		...server,
		options,
		version,
		headers,
		dialect: settings => ({
			dataKey,
			mergeUser: knownSettings(settings).mergeUser === true,
			callIds: wordIds,
		}),
		noteAdditions({tools, messages}, note) {
			note('not_stored', 'store');
			if (tools.length > 0) note('tool_flags', 'tools');
			noteErrorObjects(messages, note);
			noteUnsigned(messages, {note, keys: [dataKey], signedBy: ['itemId', 'reasoningEncryptedContent']});
		},
		ending,
		encode: (prompt, context) => encodeResponses(prompt, context, dataKey),
		reader: (notes, _settings, tools) => createResponsesReader(notes, {dataKey, tools}),
	};
}

const lastTypes: ReadonlySet<unknown> = new Set(
	['completed', 'incomplete', 'failed', 'cancelled', 'done'].map(type => `response.${type}`),
);

const ending: EndRule = {
	marker: /"response\.(?:completed|incomplete|failed|cancelled|done)"/,
	read: event => (lastTypes.has(fieldOf(event, 'type')) ? {isLast: true} : {}),
};
