/** The forms of keys that only model providers use. (A Google key may be for any of its services.) */
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
ids look like keys, and some short keys look like words. So this decides only what is shown and what child processes
inherit.
*/
export function looksLikeKey(part: string): boolean {
	const meant = decodedText(part);
	if (keyForms.test(meant) || namedKey.test(meant) || uuid.test(meant) || isMixed(meant)) return true;
	return meant.split(/[^A-Za-z0-9]+/).some(isRandom);
}

/** Tells whether the next part of the path is a key, if that part is long enough. */
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
Tells whether a word looks random. Words, dates and versions are shorter than 16 characters, or shorter than 32 without
both letters and digits.
*/
function isRandom(word: string): boolean {
	return word.length >= 32 || (word.length >= 16 && /\d/.test(word) && /[a-z]/i.test(word));
}

/**
In base64url, `-` and `_` split a key into short parts. A key also differs from a name by its scattered digits and mixed
case.
*/
function isMixed(text: string): boolean {
	return text.length >= 24 && /[a-z]/.test(text) && /[A-Z]/.test(text) && (text.match(/\d+/g)?.length ?? 0) >= 3;
}
