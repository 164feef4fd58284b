import {required} from './required.ts';

/** Returns the code point at an index inside a text. */
export function codePointIn(text: string, index = 0): number {
	return required(text.codePointAt(index), 'code point');
}
