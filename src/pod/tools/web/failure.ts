import type {ToolOutput} from '../../../worker/index.ts';
import type {UrlProblem} from '../../ground/text/web-url.ts';

/** The reasons why a page was not fetched. Their sentences are in `texts.ts`. */
export type FetchProblem =
	| UrlProblem
	| 'private'
	| 'no_address'
	| 'denied'
	| 'redirects'
	| 'too_large'
	| 'stalled'
	| 'timeout'
	| 'encoding'
	| 'connection'
	| 'proxy'
	| 'type'
	| 'too_complex'
	| 'bad_range'
	| 'status';

/** `detail` is a part of the sentence. It is untrusted text. `output` is the result of a call that was denied. */
export class FetchError extends Error {
	readonly reason: FetchProblem;
	readonly detail: string;
	readonly output: ToolOutput | undefined;

	constructor(reason: FetchProblem, detail = '', output?: ToolOutput) {
		super(`${reason} ${detail}`.trim());
		this.name = 'FetchError';
		this.reason = reason;
		this.detail = detail;
		this.output = output;
	}
}
