/** Returns the header of Anthropic's API for a key, or for a token. */
export function keyHeader(apiKey: string, isBearer: boolean): Record<string, string> {
	return isBearer ? {authorization: `Bearer ${apiKey}`} : {'x-api-key': apiKey};
}
