/** The parts of an error in which a server may ask the client to wait. */
type WaitSource = {
	readonly headers: Readonly<Record<string, string>>;
	/** The body of the error, unchanged. */
	readonly body: string;
	/** The server's sentence. */
	readonly text: string;
	/**
	The HTTP status. Most servers send the state of their limits with every answer, so this state is used only with
	status 429.
	*/
	readonly status?: number | undefined;
};

/**
Returns how many milliseconds a server asks the client to wait, or `undefined` if the server does not say how long.
`now` is in milliseconds since 1970. A daily quota has priority, because Google also sends a delay of seconds with it.
The other sources are used in this order: a header for this purpose, the body, the state of the limits, a sentence.
*/
export function requestedWait(source: WaitSource, now: number): number | undefined {
	const {headers, body, text, status} = source;
	const ms =
		ofDailyQuota(body, now) ??
		ofHeaders(headers, now) ??
		ofBody(body) ??
		(status === 429 ? ofLimits(headers, now) : undefined) ??
		ofSentence(text);
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

/** Reads google.rpc.RetryInfo, and the fields of small gateways. */
function ofBody(body: string): number | undefined {
	const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
	if (delay !== undefined) return Number(delay) * 1000;
	const field = /"retry_after(?<ms>_ms)?(?:_seconds)?"\s*:\s*"?(?<time>\d+(?:\.\d+)?)/.exec(body)?.groups;
	if (field !== undefined) return Number(field['time']) * (field['ms'] === undefined ? 1000 : 1);
	return /"quotaId"\s*:\s*"[^"]{0,200}PerMinute/.test(body) ? minute : undefined;
}

/** Google resets its daily quotas at midnight in California (ai.google.dev/gemini-api/docs/rate-limits). */
function ofDailyQuota(body: string, now: number): number | undefined {
	if (!/"quotaId"\s*:\s*"[^"]{0,200}PerDay/.test(body)) return undefined;
	const clock = new Intl.DateTimeFormat('en-GB', {timeZone: 'America/Los_Angeles', timeStyle: 'medium'}).format(now);
	const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
	return 24 * hour - hours * hour - minutes * minute - seconds * second;
}

/**
Returns the milliseconds until all limits that are used up are reset. If the server does not say how much is left,
returns the milliseconds until the first reset. The headers are, for OpenAI and Groq: `x-ratelimit-reset-requests`.
Anthropic: `anthropic-ratelimit-requests-reset`. OpenRouter, GitHub: `x-ratelimit-reset`.
draft-ietf-httpapi-ratelimit-headers: `ratelimit-reset`.
*/
function ofLimits(headers: WaitSource['headers'], now: number): number | undefined {
	const limits = Object.entries(headers).flatMap(([name, value]) => {
		const ms = limitHeader.test(name) ? untilReset(value.trim(), now) : undefined;
		return ms === undefined ? [] : [{ms, remaining: headers[name.replace('reset', 'remaining')]?.trim()}];
	});
	const usedUp = limits.filter(({remaining}) => remaining === '0');
	const uncounted = limits.filter(({remaining}) => remaining === undefined);
	if (usedUp.length > 0) return Math.max(...usedUp.map(({ms}) => ms));
	return uncounted.length > 0 ? Math.min(...uncounted.map(({ms}) => ms)) : undefined;
}

const limitHeader = /^(?:x-|anthropic-)?ratelimit-(?:reset(?:-[a-z-]+)?|[a-z-]+-reset)$/;

/** Reads a duration, a number of seconds, a date, or the seconds or milliseconds since 1970. */
function untilReset(value: string, now: number): number | undefined {
	const words = ofWords(value);
	if (words !== undefined) return words;
	const time = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
	if (time !== undefined && time < 1e9) return time * second;
	const date = time === undefined ? Date.parse(value) : time * (time < 1e12 ? second : 1);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
Reads sentences such as "Please try again in 7.66s" (Groq), "retry after 20 seconds" (Azure), "try again in 1m30.5s"
(OpenAI).
*/
function ofSentence(text: string): number | undefined {
	const words =
		/(?:(?:try again|retry|retrying|wait)(?: again)? (?:in|after|for)|wait)\s+(?<time>[\d.]+\s*[a-z].{0,30})/i.exec(
			text,
		);
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
