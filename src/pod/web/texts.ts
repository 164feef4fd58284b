import type {FetchProblem} from './failure.ts';
import {maxUrlLength} from './web-url.ts';

/** Returns the reason why a page was not fetched, as the end of a sentence. `detail` is untrusted. */
export function fetchProblem(reason: FetchProblem, detail: string): string {
	return problems[reason](detail);
}

const problems: Readonly<Record<FetchProblem, (detail: string) => string>> = {
	not_a_url: () => 'it is not a web address. Write the scheme and the host, such as https://example.com/page',
	scheme: () => 'only http and https addresses can be fetched',
	credentials: () => 'addresses with a user name or a password are refused',
	port: () => 'its port belongs to another protocol',
	too_long: () => `it is longer than ${maxUrlLength} characters`,
	private: address =>
		`the address is not public (${address}). ` +
		'Only a rule that names this address in config.toml, or in a trusted inkpod.toml, can allow it',
	no_address: host => `the name ${host} was not found`,
	denied: sentence => sentence.replace(/\.$/, ''),
	redirects: most => `it was redirected more than ${most} times`,
	too_large: most => `it is larger than ${most}`,
	stalled: time => `the server sent nothing for ${time}`,
	timeout: time => `it took longer than ${time}`,
	encoding: predicate => `the server ${predicate}`,
	connection: code => `the connection failed (${code})`,
	proxy: sentence => sentence.replace(/\.$/, ''),
	type: type => `it is not text (${type})`,
	too_complex: () => 'the page is too complex to be converted to text',
	bad_range: detail => `the range does not fit: ${detail}`,
	status: status => `the server answered with ${status}`,
};

export const webTexts = {
	empty: '(no text)',
	rangeForm: 'write it as "16384-" or "16384-32767"',
	pastEnd: (total: number) => `the text has only ${total} bytes`,
	/** The last line of a text that was cut. The model reads it. */
	cutCall: (total: number, next: number) =>
		`\n[...truncated, ${total} bytes total — use range "${next}-" for the rest]`,
	cutAttachment: (total: number, url: string, next: number) =>
		`\n[...truncated, ${total} bytes total — use fetch with url ${JSON.stringify(url)} and range "${next}-" ` +
		'for the rest]',
};
