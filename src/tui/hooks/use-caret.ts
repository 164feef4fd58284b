import {useCursor} from 'ink';
import {useFrame} from './use-frame.ts';

/** Puts the terminal's cursor where the user writes. */
export function useCaret(): void {
	const {setCursorPosition} = useCursor();
	setCursorPosition(useFrame(({cursor, size}) => ({x: cursor.x, y: Math.min(cursor.y, size.rows - 1)}), isSamePlace));
}

type Place = {readonly x: number; readonly y: number};

function isSamePlace(one: Place, other: Place): boolean {
	return one.x === other.x && one.y === other.y;
}
