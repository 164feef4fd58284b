import {secretsOf, withoutCredentials} from '../../../worker/index.ts';
import type {McpStart} from './entry.ts';

/** Creates a function that removes an entry's secrets from a text, because servers and libraries may repeat them. */
export function createScrubber(start: McpStart): (text: string) => string {
	const secrets = secretValues(start)
		.filter(value => value.length >= minLength)
		.toSorted((a, b) => b.length - a.length);
	return text => withoutCredentials(secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text));
}

const minLength = 6;

function secretValues(start: McpStart): readonly string[] {
	if (start.transport === 'stdio')
		return Object.entries(start.env).flatMap(([name, value]) => (secretName.test(name) ? [value] : []));
	const url = URL.parse(start.url);
	const headers = Object.values(start.headers).flatMap(value => [value, ...value.split(/\s+/).slice(1)]);
	return [...headers, ...(url === null ? [] : secretsOf(url))];
}

const secretName = /token|key|secret|passw|credential|auth/i;
