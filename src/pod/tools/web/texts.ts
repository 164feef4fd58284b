import {en} from '../../../language/index.ts';
import type {FetchProblem} from './failure.ts';
import {maxUrlLength} from '../../ground/text/web-url.ts';

/** Returns the reason why a page was not fetched, as the end of a sentence. `detail` is untrusted. */
export function fetchProblem(reason: FetchProblem, detail: string): string {
	return problems[reason](detail);
}

const problems: Readonly<Record<FetchProblem, (detail: string) => string>> = {
	not_a_url: () => en`it is not a web address. Write the scheme and the host, such as https://example.com/page`,
	scheme: () => en`only http and https addresses can be fetched`,
	credentials: () => en`addresses with a user name or a password are refused`,
	port: () => en`its port belongs to another protocol`,
	too_long: () => en`it is longer than ${maxUrlLength} characters`,
	private: address =>
		en`the address is not public (${address}).
			Only a rule that names this address in config.toml, or in a trusted inkpod.toml, can allow it`,
	no_address: host => en`the name ${host} was not found`,
	denied: sentence => sentence.replace(/\.$/, ''),
	redirects: most => en`it was redirected more than ${most} times`,
	too_large: most => en`it is larger than ${most}`,
	stalled: time => en`the server sent nothing for ${time}`,
	timeout: time => en`it took longer than ${time}`,
	encoding: predicate => en`the server ${predicate}`,
	connection: code => en`the connection failed (${code})`,
	proxy: sentence => sentence.replace(/\.$/, ''),
	type: type => en`it is not text (${type})`,
	too_complex: () => en`the page is too complex to be converted to text`,
	bad_range: detail => en`the range does not fit: ${detail}`,
	status: status => en`the server answered with ${status}`,
};

export const webTexts = {
	empty: en`(no text)`,
	rangeForm: en`write it as "16384-" or "16384-32767"`,
	pastEnd: (total: number) => en`the text has only ${total} bytes`,
	/** The last line of a text that was cut. The model reads it. */
	cutCall: (total: number, next: number) =>
		`\n${en`[...truncated, ${total} bytes total — use range "${next}-" for the rest]`}`,
	cutAttachment: (total: number, url: string, next: number) =>
		`\n${en`[...truncated, ${total} bytes total — use fetch with url ${JSON.stringify(url)} and range "${next}-"
			for the rest]`}`,
};
