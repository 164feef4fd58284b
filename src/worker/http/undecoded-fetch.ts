/** Node's fetch, with the content encodings of the answer, which are left in place. */
export type Undecoded = {readonly response: Response; readonly encodings: string};

/**
Node's fetch without header and body timeouts, and without its decoders: an answer in many layers makes it throw where nobody can catch.
The global dispatcher stays in use, and with it a proxy that the user configured. Follows no redirect.
*/
export async function undecodedFetch(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Undecoded> {
	let encodings = '';
	const dispatcher: Dispatcher = {
		dispatch(options, handler) {
			const node = (globalThis as unknown as Record<symbol, Dispatcher>)[dispatcherKey];
			if (node === undefined) throw new Error('This Node has no global dispatcher for fetch.');
			const guarded = withoutEncodings(handler, found => {
				encodings = found;
			});
			return node.dispatch({...options, headersTimeout: 0, bodyTimeout: 0}, guarded);
		},
	};
	const headers = new Headers(init?.headers);
	headers.set('accept-encoding', 'identity');
	const response = await fetch(input, {...init, headers, redirect: 'manual', dispatcher} as RequestInit);
	return {response, encodings};
}

/** What fetch gives a dispatcher. It keeps its state on `this`, so a guard of it must inherit from it. */
type Handler = {onHeaders?: OnHeaders};
type OnHeaders = (status: number, raw: readonly Buffer[], resume: () => void, statusText: string) => boolean;
type Dispatcher = {dispatch(options: object, handler: Handler): boolean};

/** The place where Node's own fetch keeps its dispatcher, shared with every copy of undici. */
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');

function withoutEncodings(handler: Handler, onFound: (encodings: string) => void): Handler {
	const {onHeaders} = handler;
	if (onHeaders === undefined) return handler;
	const guarded = Object.create(handler) as Handler;
	guarded.onHeaders = function (status, raw, resume, statusText) {
		const kept: Buffer[] = [];
		const found: string[] = [];
		for (let at = 0; at + 1 < raw.length; at += 2) {
			if (String(raw[at]).toLowerCase() === 'content-encoding') found.push(String(raw[at + 1]));
			else kept.push(raw[at]!, raw[at + 1]!);
		}
		onFound(found.join(','));
		return onHeaders.call(this, status, kept, resume, statusText);
	};
	return guarded;
}
