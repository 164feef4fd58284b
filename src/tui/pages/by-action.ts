import type {ActionName} from '../keymap.ts';

/** Maps moves to actions, so that the keys that scroll the transcript also scroll pages. */
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
