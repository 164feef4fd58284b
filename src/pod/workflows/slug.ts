/** The name of a workflow or of Knowledge: small letters, digits and single hyphens between them, 64 at most. */
export function isSlug(name: string): boolean {
	return pattern.test(name) && !name.includes('--');
}

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
