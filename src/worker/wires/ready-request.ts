import type {ModelRequest} from '../history/model.ts';
import {createRewriteNotes, type RewriteNotes, type RewriteRule} from '../history/rewrites.ts';
import {mediaLimits} from './media-limits.ts';
import {loadMedia} from './media-parts.ts';
import {mergedHeaders} from './merged-headers.ts';
import type {PreparedWire} from './prepare-wire.ts';
import {toPrompt} from './prompt.ts';
import type {OutgoingRequest} from './transport.ts';
import type {Encoded, Wire} from './wire.ts';

/**
A body, its path and headers, and how the body deviates from the request. `early`: the rules that `noteAdditions` noted.
`late`: the rules that were noted later, while the body was made.
*/
export type MadeBody = Encoded & {
	readonly notes: RewriteNotes;
	readonly early: ReadonlySet<RewriteRule>;
	readonly late: ReadonlySet<RewriteRule>;
};

/** Makes the body of a request to the model of a wire. */
export async function makeBody(wire: Wire, request: ModelRequest): Promise<MadeBody> {
	const {note, notes} = createRewriteNotes();
	wire.noteAdditions?.(request, note);
	const early = new Map([...notes].map(([rule, places]) => [rule, places.length]));
	const {settings, tools} = request;
	const media = await loadMedia(request, mediaLimits(wire.facts.wire, settings));
	const prompt = toPrompt(request, wire.dialect(settings), note, media);
	const encoded = wire.encode(prompt, {model: wire.options.model, settings, tools, note});
	const late = [...notes].flatMap(([rule, places]) => (places.length > (early.get(rule) ?? 0) ? [rule] : []));
	return {...encoded, notes, early: new Set(early.keys()), late: new Set(late)};
}

/** A body in the form in which it is sent. */
type SentForm = Pick<Encoded, 'path' | 'headers'> & Pick<OutgoingRequest, 'body' | 'signal'>;

/** Returns a request that is ready to be sent. */
export async function readyRequest(
	wire: Wire,
	{baseURL, query, headers: own}: PreparedWire,
	{path, headers, body, signal}: SentForm,
): Promise<OutgoingRequest> {
	const form = {'content-type': 'application/json', 'user-agent': userAgent};
	const ready: OutgoingRequest = {
		url: withQuery(`${baseURL.replace(/\/$/, '')}${path}`, query),
		// The headers of the encoded body have priority over the user's own headers, because they already include the
		// user's values.
		headers: {...mergedHeaders({...form, ...wire.headers(wire.options.apiKey ?? '', own)}, own), ...headers},
		body,
		signal,
	};
	return wire.sign === undefined ? ready : {...ready, headers: {...ready.headers, ...(await wire.sign(ready))}};
}

const userAgent = 'inkpod';

/** Returns the address with the query of the base URL. */
function withQuery(address: string, query: URLSearchParams): string {
	if (query.size === 0) return address;
	const url = new URL(address);
	for (const [name, value] of query) if (!url.searchParams.has(name)) url.searchParams.append(name, value);
	return url.href;
}
