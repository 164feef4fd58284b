/** The answer of a server that did not accept a request: its status, headers in lower case, and body. */
export class HttpError extends Error {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;

	constructor(status: number, headers: Readonly<Record<string, string>>, body: string) {
		super(`HTTP ${status}`);
		this.name = 'HttpError';
		this.status = status;
		this.headers = headers;
		this.body = body;
	}
}
