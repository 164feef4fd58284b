/** Returns the provider of a model's name `provider/model`. The result is empty for a name without a provider. */
export function providerOf(name: string): string {
	return name.slice(0, Math.max(0, name.indexOf('/')));
}
