import type {Tree} from './encode/sourced.ts';

/**
A request body in parts: the JSON before the list of messages, the JSON of each element of the list, and the JSON after
the list.
*/
export type BodyParts = {readonly head: string; readonly elements: readonly string[]; readonly tail: string};

/**
Returns the parts of a body. Together, `head`, the elements separated by commas, and `tail` are equal to
`JSON.stringify(body)`. Returns `undefined` for a body without a list of messages.
*/
export function bodyParts(body: Tree): BodyParts | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	const fields = Object.entries(body).filter(([, value]) => value !== undefined);
	const at = fields.findIndex(([key, value]) => listKeys.has(key) && Array.isArray(value));
	const list: unknown = fields[at]?.[1];
	if (!Array.isArray(list)) return undefined;
	const texts = fields.map(([key, value], index) =>
		index === at ? `${JSON.stringify(key)}:[` : `${JSON.stringify(key)}:${JSON.stringify(value)}`,
	);
	const after = texts.slice(at + 1).map(text => `,${text}`);
	return {
		head: `{${texts.slice(0, at + 1).join(',')}`,
		elements: list.map(element => JSON.stringify(element)),
		tail: `]${after.join('')}}`,
	};
}

/** The names that the field with the messages has in the bodies of all wires. */
const listKeys: ReadonlySet<string> = new Set(['messages', 'input', 'contents']);
