/**
Tells whether a text is the beginning of a JSON object or array that was cut off. A server that cuts off the arguments
of a call may still say that the call is complete. A text with an error before its end is not such a beginning.
*/
export function isBeginning(text: string): boolean {
	const open = openPlaces(text);
	if (open === undefined || open.closing === '') return false;
	// If the text ends inside a number or word, that number or word is replaced with a number.
	const [word = ''] = open.inText ? [] : (/[\w.+-]+$/.exec(text.slice(-maxWord)) ?? []);
	if (word !== '' && !cutWord.test(word)) return false;
	const base = text.slice(0, open.escapeAt ?? text.length - word.length);
	return (open.inText ? textEnds : placeEnds).some(end => isJson(base + end + open.closing));
}

/** The maximum length of a number or word at the end. Models do not write longer numbers. */
const maxWord = 100;

/** The endings that may complete a text that was cut off inside a JSON string (a value or a key), or anywhere else. */
const textEnds = ['"', '":0'];
const placeEnds = ['', '0', ':0', '"":0'];

/** A beginning of `true`, `false`, `null` or a number. */
const cutWord = /^(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-?(?:\d+(?:\.\d*)?(?:e[+-]?\d*)?)?)$/i;

type OpenPlaces = {
	/** The brackets that complete the text. */
	readonly closing: string;
	readonly inText: boolean;
	/** The index of an incomplete escape sequence at the end. */
	readonly escapeAt: number | undefined;
};

/**
Returns the brackets and the string that are not closed at the end of a text. Returns `undefined` if the brackets do not
match.
*/
function openPlaces(text: string): OpenPlaces | undefined {
	const open: string[] = [];
	let inText = false;
	let escapeAt: number | undefined;
	for (let at = 0; at < text.length; at++) {
		const character = text.charAt(at);
		if (inText && character === '\\') {
			const length = text.charAt(at + 1) === 'u' ? 6 : 2;
			if (at + length > text.length) escapeAt = at;
			at += length - 1;
		} else if (character === '"') inText = !inText;
		else if (inText) continue;
		else if (character === '{') open.push('}');
		else if (character === '[') open.push(']');
		else if ((character === '}' || character === ']') && open.pop() !== character) return undefined;
	}
	return {closing: open.toReversed().join(''), inText, escapeAt};
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
