/**
Returns JSON with U+2028 and U+2029 escaped. JSON allows them as they are, but many programs end a line there, so that a
message of one line would be read as several.
*/
export function escapeSeparators(json: string): string {
	return json.replaceAll(/[\u2028\u2029]/g, character => (character === '\u2028' ? '\\u2028' : '\\u2029'));
}
