/** Forms that only keys of models have, wherever they are. A key of Google may be of any of its services. */
export const keyForms = new RegExp(
	`(?<![\\w-])(?:${[
		'sk-(?:ant|proj|svcacct|admin|or)-[\\w-]{16,}',
		'sk-[A-Za-z0-9]{32,}',
		'(?:gsk_|xai-|hf_|r8_|pplx-|csk-)\\w{20,}',
		'(?:nvapi-|tgp_v1_)[\\w-]{20,}',
	].join('|')})`,
);

/**
Whether a part of a path looks like a key: it has a known form, is named as one (`key=…`), or is random. Ids of accounts
look the same, and short keys made of letters look like words: this decides only what is shown and what children
inherit.
*/
export function looksLikeKey(part: string): boolean {
	const meant = decodedText(part);
	if (keyForms.test(meant) || namedKey.test(meant) || uuid.test(meant) || isMixed(meant)) return true;
	return meant.split(/[^A-Za-z0-9]+/).some(isRandom);
}

/** Whether the part of a path after this one is a key, if it is long enough for one. */
export function announcesKey(part: string): boolean {
	return /^(?:api[-_]?)?(?:key|token|secret)s?$/i.test(part);
}

/** The percent-encoded text as it is meant, or as it is where it is not well-formed. */
export function decodedText(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

const namedKey = /(?:^|[-_;,])(?:key|token|secret|auth|passw(?:or)?d)[=:]./i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** No word, date or version is as long, with letters and digits or without. */
function isRandom(word: string): boolean {
	return word.length >= 32 || (word.length >= 16 && /\d/.test(word) && /[a-z]/i.test(word));
}

/** In base64url `-` and `_` cut a key into short pieces: digits all over it, and both cases, tell it from a name. */
function isMixed(text: string): boolean {
	return text.length >= 24 && /[a-z]/.test(text) && /[A-Z]/.test(text) && (text.match(/\d+/g)?.length ?? 0) >= 3;
}
