import type {ActionName} from '../keys.ts';

/** The moves of the arrows and their like for the keys that scroll the transcript, whatever those are: they scroll what stands in its place. */
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
