/** Why a model cannot be used: the part of a sentence after the colon. */

/** `names`: the providers that exist. */
export function unknownProvider(written: string, names: readonly string[]): string {
	return (
		`no provider is called ${written}: a model is written provider/name, with one of ${names.join(', ')}, ` +
		'or it is offline or scripted:<file>'
	);
}

export function noModelName(provider: string): string {
	return `it names no model: write ${provider}/<model>`;
}

export function needsKey(variable: string): string {
	return `it needs a key: set ${variable} in the environment`;
}

export function needsAddress(provider: string, variable: string | undefined): string {
	const set = variable === undefined ? 'set' : `set ${variable}, or`;
	return `it needs the server's address: ${set} base_url under [providers.${provider}] in your config.toml`;
}

export const badAddress = 'its base URL is not an http or https address';

export const needsAzureAddress =
	"it needs the server's address: set AZURE_OPENAI_ENDPOINT or AZURE_RESOURCE_NAME, " +
	'or base_url under [providers.azure] in your config.toml';

export const needsRegion = 'it needs a region: set AWS_REGION in the environment';

export const needsAwsKeys =
	'it needs a key: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in the environment';

export const needsProject =
	'it needs a project or a key: set GOOGLE_VERTEX_PROJECT, or GOOGLE_VERTEX_API_KEY, in the environment';

export function notAName(variable: string): string {
	return `${variable} is not a name of letters, digits and hyphens`;
}
