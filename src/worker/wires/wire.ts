import type {EndRule} from './answer-end.ts';
import type {CloudAccess} from './cloud-access.ts';
import type {Prompt} from './encode/prompt-types.ts';
import type {Tree} from './encode/sourced.ts';
import type {AnswerNotes} from './reading/answer-notes.ts';
import type {EventReader} from './reading/event-reader.ts';
import type {EventSource} from './reading/event-source.ts';
import type {Dialect} from './prompt.ts';
import type {ProviderFacts} from './providers.ts';
import type {Network} from './http/network.ts';
import type {Source} from './http/source.ts';
import type {OutgoingRequest} from './transport.ts';
import type {Settings, ToolDefinition} from '../history/item.ts';
import type {ModelRequest} from '../history/model.ts';
import type {NoteRewrite} from '../history/rewrites.ts';

/** The user's settings for reaching a model. */
export type WireOptions = {
	/** The provider's own name of the model, without the provider's prefix. */
	readonly model: string;
	readonly apiKey?: string;
	/**
	Whether the key is a token that is sent as `Authorization: Bearer`. This matters only on a wire that sends keys in
	another header.
	*/
	readonly isBearer?: boolean;
	/** The address of the server, with or without its version path. */
	readonly baseURL?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly fetch?: typeof globalThis.fetch;
	readonly network?: Network;
	readonly cloud?: CloudAccess;
	/**
	The maximum milliseconds until the first content of an answer, and between two pieces of content (silence.ts).
	*/
	readonly firstTokenTimeoutMs?: number;
	readonly stallTimeoutMs?: number;
};

/** The server of a wire. `provider` is the name by which the user selects it. */
export type Server = {readonly provider: string; readonly facts: ProviderFacts};

/** Everything that differs between the providers' APIs. Other code is shared. */
export type Wire = Server & {
	readonly options: WireOptions;
	readonly version: VersionPath | undefined;
	/** Returns the dialect of a request with these settings. */
	readonly dialect: (settings: Settings) => Dialect;
	/** The rule that recognises the end of an answer. Absent if the format of the answer marks its end. */
	readonly ending?: EndRule;
	/** Returns the body of a request, its path below the base URL, and headers that belong to its content. */
	readonly encode: (prompt: Prompt, context: EncodeContext) => Encoded;
	/** Returns a reader for one answer to a request with these settings and tools. */
	readonly reader: (notes: AnswerNotes, settings: Settings, tools: readonly ToolDefinition[]) => EventReader;
	/** Reads an answer that is not a stream of server-sent events. */
	readonly readFrames?: (source: Source, reader: EventReader) => EventSource;
	/** Returns the headers for the key. The user's own headers have priority. */
	readonly headers: (apiKey: string, own: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
	/** Returns additional headers for a request that is ready: a signature, or a token that must be requested first. */
	readonly sign?: (request: OutgoingRequest) => Promise<Readonly<Record<string, string>>>;
	/** Notes what the wire adds to the request or leaves out. Called before the prompt is made. */
	readonly noteAdditions?: (request: ModelRequest, note: NoteRewrite) => void;
};

/** The inputs that determine a body in addition to its messages. */
export type EncodeContext = {
	readonly model: string;
	readonly settings: Settings;
	readonly tools: readonly ToolDefinition[];
	readonly note: NoteRewrite;
};

/** A body, and the path and headers with which it is sent. `path` begins with a slash. */
export type Encoded = {
	readonly body: Tree;
	readonly path: string;
	/**
	These headers have priority over the user's own headers, whose values they may include. The names are in lower case.
	*/
	readonly headers?: Readonly<Record<string, string>>;
};

/**
The endpoints that are removed from a base URL. The documentation of servers shows the full address of a request, and
users copy that address.
*/
const endpoints: readonly RegExp[] = [
	/\/(?:(?:chat\/)?completions|messages|responses)$/i,
	/\/models\/[^/]+:\w*generateContent$/i,
	/\/model\/[^/]+\/converse(?:-stream)?$/i,
];

/** The version part of a base URL: what to add if it is missing, and where it may already be. */
type VersionPath = {readonly add: string; readonly at: 'end' | 'anywhere'};

/**
Returns the base URL with its version path (if `version` is given), without the path of an endpoint, and without a final
slash. Returns `undefined` if the text is not an http(s) URL.
*/
export function versionedURL(baseURL: string, version: VersionPath | undefined): URL | undefined {
	const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
	const path = url.pathname.replace(/\/+$/, '');
	url.pathname = endpoints.reduce((rest, endpoint) => rest.replace(endpoint, ''), path);
	if (version === undefined) return url;
	const segments = url.pathname.split('/');
	const candidates = version.at === 'end' ? segments.slice(-1) : segments;
	if (!candidates.some(segment => /^v\d+((alpha|beta)\d*)?$/.test(segment)))
		url.pathname = `${url.pathname.replace(/\/$/, '')}/${version.add}`;
	return url;
}
