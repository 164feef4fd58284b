import {useCursor} from 'ink';

type Place = {readonly x: number; readonly y: number};

/** Places the terminal's cursor at the caret. An input method opens its window there. */
export function useCaret({x, y}: Place): void {
	const {setCursorPosition} = useCursor();
	setCursorPosition({x, y});
}
