import {t, type Told} from '../../language/index.ts';

/** The reasons why a model cannot be used. Each reason follows a colon in a sentence. */

/** `names`: the known providers. */
export function unknownProvider(written: string, names: readonly string[]): Told {
	const known = names.join(', ');
	return t => t`there is no provider ${written}. Write the model as provider/name (the providers are ${known}), or use
			offline or scripted:<file>`;
}

export function noModelName(provider: string): Told {
	return t => t`the name of the model is missing: write ${provider}/<model>`;
}

export function needsKey(variable: string, provider: string): Told {
	return t =>
		t`it needs a key: set ${variable} in the environment, or use /login ${provider} or inkpod login ${provider}`;
}

export function needsAddress(provider: string, variable: string | undefined): Told {
	return t =>
		variable === undefined
			? t`it needs the server's address: set base_url under [providers.${provider}] in your config.toml`
			: t`it needs the server's address: set ${variable}, or base_url under [providers.${provider}] in your
				config.toml`;
}

/** Returns the end of an error message about an unknown `--option`. */
export function unknownOption(keys: readonly string[]): string {
	return t`is not an option: write key=value, where key is ${keys.slice(0, -1).join(', ')} or ${keys.at(-1)}`;
}

/** `place`: the variable or the setting that contains the address. `shown`: the address without secrets. */
export function badAddress(place: string, shown: string): Told {
	return t =>
		t`its base URL is not an http or https address (${place} is ${shown}): begin it with http:// or https://`;
}

/** `variable`: the environment variable that contains the key. */
export function unusableKey(variable: string): Told {
	return t => t`the key in ${variable} contains a space, a line break, a curly quote or another invalid character:
		copy the key again, without other text`;
}

export const needsAzureAddress: Told =
	t => t`it needs the server's address: set AZURE_OPENAI_ENDPOINT or AZURE_RESOURCE_NAME,
		or base_url under [providers.azure] in your config.toml`;

export const needsRegion: Told = t => t`it needs a region: set AWS_REGION in the environment`;

export const needsAwsKeys: Told = t => t`it needs a key: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and
	AWS_SECRET_ACCESS_KEY, in the environment`;

export const needsProject: Told =
	t => t`it needs a project or a key: set GOOGLE_VERTEX_PROJECT, or GOOGLE_VERTEX_API_KEY, in
	the environment`;

export function notAName(variable: string): Told {
	return t => t`${variable} is not a name of letters, digits and hyphens`;
}

export const ruleForm = t`must be the name of a tool, or TOOL(PATTERN), such as bash(npm test*)`;

export function badRule(action: 'allow' | 'deny', text: string, problem: string): string {
	return t`Invalid --${action} "${text}": it ${problem}.`;
}

/** Warnings about names in `[screen]`. `near` is the name that was probably meant. */
export const screenTexts = {
	theme: (name: string, near: string | undefined, known: readonly string[]) =>
		t`config.toml: screen.theme names the unknown theme ${name}, so "auto" is used. ${meant(near, known)}`,
	status: (name: string, near: string | undefined, known: readonly string[]) =>
		t`config.toml: screen.status ignores the unknown part ${name}. ${meant(near, known)}`,
};

function meant(near: string | undefined, known: readonly string[]): string {
	return near === undefined ? t`Known: ${known.join(', ')}.` : t`Did you mean "${near}"?`;
}

/** The reasons why a setting is not saved. */
export const saveSettingTexts = {
	cannotEdit: (key: string, file: string) =>
		t`${key} cannot be changed here without changing other lines. Edit it in ${file}.`,
	changed: (file: string) => t`${file} has just changed. Try again.`,
	tooLong: (file: string) => t`${file} would be too long.`,
	notSaved: (cause: string) => t`The setting is not saved: ${cause}`,
};
