import type {ActionName} from '../keys/keymap.ts';

type MoveKey = 'up' | 'down' | 'pageup' | 'pagedown' | 'home' | 'end';

/** Maps the scroll actions of the transcript to the moves of a page, so that the same keys scroll pages. */
export function byAction<Move>(moves: {readonly [Name in MoveKey]: Move}): {readonly [Name in ActionName]?: Move} {
	return {
		'row up': moves.up,
		'row down': moves.down,
		'page up': moves.pageup,
		'page down': moves.pagedown,
		top: moves.home,
		bottom: moves.end,
	};
}
