import type {ActionName} from '../keymap.ts';

/** Gives the moves of ↑, ↓, PgUp, PgDn, Home and End to the keys that scroll the transcript: they scroll pages too. */
export function byAction<Move>(moves: Readonly<Record<string, Move>>): {readonly [Name in ActionName]?: Move} {
	return {
		'row up': moves['up']!,
		'row down': moves['down']!,
		'page up': moves['pageup']!,
		'page down': moves['pagedown']!,
		top: moves['home']!,
		bottom: moves['end']!,
	};
}
