/**
Whether a name is a slug, the name of a workflow or of Knowledge: lower-case letters, digits and single hyphens between
them, up to 64 characters.
*/
export function isSlug(name: string): boolean {
	return pattern.test(name) && !name.includes('--');
}

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
