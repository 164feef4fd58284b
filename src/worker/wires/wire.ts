import type {LanguageModelV4} from '@ai-sdk/provider';
import type {EndRule} from './answer-end.ts';
import type {CloudAccess} from './cloud-access.ts';
import type {AnswerNotes} from './reading/answer-notes.ts';
import type {EventReader} from './reading/event-reader.ts';
import type {Dialect} from './prompt.ts';
import type {ProviderFacts} from './providers.ts';
import type {Network} from './http/network.ts';
import type {Source} from './http/source.ts';
import type {Settings} from '../history/item.ts';
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
	/**
	The number of milliseconds for which a stream may be silent. The default is 90 s, or 10 minutes until the first byte
	of a server on this machine.
	*/
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
	/**
	Set if the provider's package ends tool calls only when the stream ends, even a stream that was cut. The ends of the
	calls are then held back until the finish.
	*/
	readonly callsSettleLate?: boolean;
	/**
	The rule by which the end of an answer is recognised. It is absent if the provider package recognises the last event
	and does not wait after it.
	*/
	readonly ending?: EndRule;
	/** Cleans the events of one answer. If absent, the package reads the events unchanged. */
	readonly reader?: (notes: AnswerNotes, settings: Settings) => EventReader;
	/** Cleans an answer that is not a stream of events, before the package reads it. */
	readonly cleaner?: (source: Source, notes: AnswerNotes) => Source;
	/** Called once for each request, with a `fetch` that serves only that request. */
	readonly connect: (connection: Connection) => LanguageModelV4;
	/**
	Returns the output limit for a request whose settings have none. Returns `undefined` if the package or the server
	decides.
	*/
	readonly outputLimit?: (settings: Settings) => number | undefined;
	/** Notes what the wire or its package itself adds to such a request or leaves out. */
	readonly noteAdditions?: (request: ModelRequest, note: NoteRewrite) => void;
	/** Returns the provider's own options, from the settings of the request. */
	readonly providerOptions?: (settings: Settings) => Record<string, ProviderOptions>;
};

type ProviderOptions = Record<string, string | boolean>;

type Connection = {
	readonly model: string;
	readonly baseURL: string;
	readonly apiKey: string;
	readonly headers: Record<string, string>;
	readonly fetch: typeof globalThis.fetch;
};

/** Servers' pages name the whole address of a request, and users copy it. */
const endpoint = /\/(?:chat\/completions|messages|responses)$/;

/** The version part of a base URL: what to add if it is missing, and where it may already be. */
type VersionPath = {readonly add: string; readonly at: 'end' | 'anywhere'};

/**
Returns the base URL with its version path, if any, without the path of an endpoint, and without a final slash. Returns
`undefined` if the text is not an http(s) URL.
*/
export function versionedURL(baseURL: string, version: VersionPath | undefined): URL | undefined {
	const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
	url.pathname = url.pathname.replace(/\/+$/, '').replace(endpoint, '');
	if (version === undefined) return url;
	const segments = url.pathname.split('/');
	const candidates = version.at === 'end' ? segments.slice(-1) : segments;
	if (!candidates.some(segment => /^v\d+((alpha|beta)\d*)?$/.test(segment)))
		url.pathname = `${url.pathname.replace(/\/$/, '')}/${version.add}`;
	return url;
}
