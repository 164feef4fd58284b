/** Returns the provider of a model's name `provider/model`. It is empty for a name without one. */
export function providerOf(name: string): string {
	return name.slice(0, Math.max(0, name.indexOf('/')));
}
