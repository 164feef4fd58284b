import {useCursor} from 'ink';

type Place = {readonly x: number; readonly y: number};

/** Puts the terminal's cursor where the user writes: an input method shows its window there. */
export function useCaret({x, y}: Place): void {
	const {setCursorPosition} = useCursor();
	setCursorPosition({x, y});
}
