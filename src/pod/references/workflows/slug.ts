/**
Tells whether a name is a slug. Workflows and Knowledge are named by slugs. A slug has up to 64 characters: lower-case
letters, digits, and single hyphens between them.
*/
export function isSlug(name: string): boolean {
	return pattern.test(name) && !name.includes('--');
}

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
