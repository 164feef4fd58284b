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
