import {invisibleClass} from '../../pod/first-frame.ts';

/**
Returns JSON that is safe to print and parses to the same value. It escapes characters that a terminal may act on or
does not draw. `indent` sets the spaces per level; without it the JSON is one line.
*/
export function inertJson(value: unknown, indent?: number): string {
	return JSON.stringify(value, undefined, indent).replaceAll(special, escaped);
}

const special = new RegExp(String.raw`[\u007f-\u009f${invisibleClass}]`, 'gu');

function escaped(character: string): string {
	return Array.from(
		{length: character.length},
		(_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
	).join('');
}
