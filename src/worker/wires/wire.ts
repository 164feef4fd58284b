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
	/** Whether the key is a token that is sent as `Authorization: Bearer`, for a wire with a header of its own. */
	readonly isBearer?: boolean;
	/** The address, with or without its version path. */
	readonly baseURL?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly fetch?: typeof globalThis.fetch;
	readonly network?: Network;
	readonly cloud?: CloudAccess;
	/** The milliseconds until the first content of an answer, and between two pieces of content (`silence.ts`). */
	readonly firstTokenTimeoutMs?: number;
	readonly stallTimeoutMs?: number;
};

/** The server that a wire reaches, under the name that the user gives it. */
export type Server = {readonly provider: string; readonly facts: ProviderFacts};

/** The differences between the providers. Everything else is shared. */
export type Wire = Server & {
	readonly options: WireOptions;
	readonly version: VersionPath | undefined;
	/** Returns the form of a request, from its settings. */
	readonly dialect: (settings: Settings) => Dialect;
	/** The rule by which the end of an answer is recognised. Absent if the answer itself says where it ends. */
	readonly ending?: EndRule;
	/** Returns the body of a request, its path below the base URL, and headers that belong to its content. */
	readonly encode: (prompt: Prompt, context: EncodeContext) => Encoded;
	/** Returns a reader for one answer to a request with these settings and tools. */
	readonly reader: (notes: AnswerNotes, settings: Settings, tools: readonly ToolDefinition[]) => EventReader;
	/** Reads an answer that is not a stream of server-sent events. */
	readonly readFrames?: (source: Source, reader: EventReader) => EventSource;
	/** The headers for the key. The user's own headers have priority. */
	readonly headers: (apiKey: string, own: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
	/** Returns further headers for a request that is ready: a signature, or a token that must be fetched. */
	readonly sign?: (request: OutgoingRequest) => Promise<Readonly<Record<string, string>>>;
	/** Notes what the wire adds to such a request or leaves out. Called before the prompt is made. */
	readonly noteAdditions?: (request: ModelRequest, note: NoteRewrite) => void;
};

/** What shapes a body beside its messages. */
export type EncodeContext = {
	readonly model: string;
	readonly settings: Settings;
	readonly tools: readonly ToolDefinition[];
	readonly note: NoteRewrite;
};

/** A body and how it is sent. `path` begins with a slash. */
export type Encoded = {
	readonly body: Tree;
	readonly path: string;
	/** They have priority over the user's own headers, whose values they may contain. The names are in lower case. */
	readonly headers?: Readonly<Record<string, string>>;
};

/** Servers' pages name the whole address of a request, and users copy it. */
const endpoints: readonly RegExp[] = [
	/\/(?:(?:chat\/)?completions|messages|responses)$/i,
	/\/models\/[^/]+:\w*generateContent$/i,
	/\/model\/[^/]+\/converse(?:-stream)?$/i,
];

/** The version part of a base URL: what to add if it is missing, and where it may already be. */
type VersionPath = {readonly add: string; readonly at: 'end' | 'anywhere'};

/**
Returns the base URL with its version path, if any, without the path of an endpoint, and without a final slash. Returns
`undefined` if the text is not an http(s) URL.
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
