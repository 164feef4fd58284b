import {z} from 'zod';
import {t} from '../../language/index.ts';

/** The schemas of values that several tables use. */

export const count = z.number().int().min(1).optional();

/** Accepts one of the choices. */
export function oneOf<const Choices extends readonly string[]>(choices: Choices) {
	return z.enum(choices, t`must be ${listed(choices)}`);
}

/** Returns the choices in quotes, joined with "or". */
export function listed(choices: readonly string[]): string {
	return choices.map(choice => `"${choice}"`).join(' or ');
}

/** Accepts a text, or a list of texts that is not empty. */
export function words(needed: string) {
	return z.custom<string | readonly string[]>(
		value => isWord(value) || (Array.isArray(value) && value.every(isWord)),
		needed,
	);
}

function isWord(value: unknown): boolean {
	return typeof value === 'string' && value.trim() !== '';
}
