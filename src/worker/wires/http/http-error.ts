/** The answer of a server that did not accept a request or sent no body. The names of headers are in lower case. */
export class HttpError extends Error {
	readonly status: number;
	/** The server's words for the status. */
	readonly statusText: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;

	constructor({status, statusText, headers, body}: Answered) {
		super(`HTTP ${status}`);
		this.name = 'HttpError';
		this.status = status;
		this.statusText = statusText;
		this.headers = headers;
		this.body = body;
	}
}

type Answered = {
	readonly status: number;
	readonly statusText: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
};
