/**
The forms of keys that only model providers use. Google's keys are not included, because such a key may be for any
Google service.
*/
export const keyForms = new RegExp(
	`(?<![\\w-])(?:${[
		'sk-(?:ant|proj|svcacct|admin|or)-[\\w-]{16,}',
		'sk-[A-Za-z0-9]{32,}',
		'(?:gsk_|xai-|hf_|r8_|pplx-|csk-)\\w{20,}',
		'(?:nvapi-|tgp_v1_)[\\w-]{20,}',
	].join('|')})`,
);

/**
Tells whether a part of a path looks like a key: it has a known form or a name (`key=…`), or looks random. Some account
ids look like keys, and some short keys look like words. So the result only decides what is shown and what child
processes inherit.
*/
export function looksLikeKey(part: string): boolean {
	const meant = decodedText(part);
	if (keyForms.test(meant) || namedKey.test(meant) || uuid.test(meant) || isMixed(meant)) return true;
	return meant.split(/[^A-Za-z0-9]+/).some(isRandom);
}

/**
Tells whether a part of a path announces a key, as in `/token/…`. In this case, the next part is a key if it is long
enough.
*/
export function announcesKey(part: string): boolean {
	return /^(?:api[-_]?)?(?:key|token|secret)s?$/i.test(part);
}

/** Returns the percent-decoded text, or the text itself if its encoding is invalid. */
export function decodedText(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

const namedKey = /(?:^|[-_;,])(?:key|token|secret|auth|passw(?:or)?d)[=:]./i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
Tells whether a word looks random. Ordinary words, dates and versions have fewer than 16 characters, or fewer than 32 if
they do not have both letters and digits.
*/
function isRandom(word: string): boolean {
	return word.length >= 32 || (word.length >= 16 && /\d/.test(word) && /[a-z]/i.test(word));
}

/**
Tells whether a text looks like a key in base64url, where `-` and `_` split a key into short parts. Unlike a name, such
a key has mixed case and several groups of digits.
*/
function isMixed(text: string): boolean {
	return text.length >= 24 && /[a-z]/.test(text) && /[A-Z]/.test(text) && (text.match(/\d+/g)?.length ?? 0) >= 3;
}
