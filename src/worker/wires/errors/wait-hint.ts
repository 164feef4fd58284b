/** The parts of an error in which a server may ask the client to wait. */
type WaitSource = {
	readonly headers: Readonly<Record<string, string>>;
	/** The body of the error, unchanged. */
	readonly body: string;
	/** The server's sentence. */
	readonly text: string;
};

/**
Returns how many milliseconds a server asks the client to wait, or `undefined` if it does not say. `now` is in
milliseconds since 1970. A header has priority over the body, and the body has priority over a sentence.
*/
export function requestedWait(source: WaitSource, now: number): number | undefined {
	const ms = ofHeaders(source.headers, now) ?? ofBody(source.body) ?? ofSentence(source.text);
	return ms === undefined ? undefined : Math.min(Math.round(ms), Number.MAX_SAFE_INTEGER);
}

function ofHeaders(headers: WaitSource['headers'], now: number): number | undefined {
	const ms = Number.parseFloat(headers['retry-after-ms'] ?? '');
	if (ms >= 0) return ms;
	const after = headers['retry-after']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000;
	const date = Date.parse(after);
	return Number.isNaN(date) ? ofWords(after) : Math.max(0, date - now);
}

/** google.rpc.RetryInfo, and fields of small gateways. */
function ofBody(body: string): number | undefined {
	const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
	if (delay !== undefined) return Number(delay) * 1000;
	const field = /"retry_after(?<ms>_ms)?(?:_seconds)?"\s*:\s*"?(?<time>\d+(?:\.\d+)?)/.exec(body)?.groups;
	return field === undefined ? undefined : Number(field['time']) * (field['ms'] === undefined ? 1000 : 1);
}

/** "Please try again in 7.66s" (Groq), "retry after 20 seconds" (Azure), "try again in 1m30.5s" (OpenAI). */
function ofSentence(text: string): number | undefined {
	const words =
		/(?:try again|retry|retrying|wait)(?: again)? (?:in|after|for)\s+(?<time>[\d.]+\s*[a-z].{0,30})/i.exec(text);
	return ofWords(words?.groups?.['time'] ?? '');
}

/** Returns the duration at the beginning of a text: `350ms`, `7.66s`, `1m30.5s`, `2 minutes`, `1h2m3s`. */
function ofWords(text: string): number | undefined {
	let total: number | undefined;
	let rest = text.trim();
	for (let found = oneTime.exec(rest); found?.groups !== undefined; found = oneTime.exec(rest)) {
		const unit = units[(found.groups['unit'] ?? '').toLowerCase()] ?? 0;
		total = (total ?? 0) + Number(found.groups['count']) * unit;
		rest = rest.slice(found[0].length);
	}
	return total;
}

const unitWords = 'milliseconds?|ms|minutes?|mins?|m|seconds?|secs?|s|hours?|hrs?|h';
const oneTime = new RegExp(`^(?<count>\\d+(?:\\.\\d+)?)\\s*(?<unit>${unitWords})(?![a-z])(?:\\s+|(?=\\d)|[.,]?)`, 'i');

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const units: Readonly<Record<string, number>> = {
	ms: 1,
	millisecond: 1,
	milliseconds: 1,
	s: second,
	sec: second,
	secs: second,
	second,
	seconds: second,
	m: minute,
	min: minute,
	mins: minute,
	minute,
	minutes: minute,
	h: hour,
	hr: hour,
	hrs: hour,
	hour,
	hours: hour,
};
