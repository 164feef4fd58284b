import {createContext, use, useRef} from 'react';
import {useStore} from 'zustand';
import type {StoreApi} from 'zustand/vanilla';
import type {Layout} from '../layout.ts';
import {isSameRow, type Row} from '../../spans/row.ts';
import {isSameList} from '../../../text/lines.ts';
import type {Theme} from '../../spans/theme.ts';
import {useCursor} from 'ink';

/** The latest frame that `mount/full-screen` has requested. The value changes once per frame, not with every action. */
type ShownFrame = StoreApi<Layout>;

export const ShownFrameContext = createContext<ShownFrame | undefined>(undefined);

/** Selects a part of the shown frame. The component renders again when `isSame` returns false for the new part. */
export function useFrame<Value>(
	select: (frame: Layout) => Value,
	isSame: (one: Value, other: Value) => boolean = Object.is,
): Value {
	const shown = use(ShownFrameContext);
	if (shown === undefined) throw new Error('useFrame needs a ShownFrameContext');
	const last = useRef<{readonly value: Value} | undefined>(undefined);
	return useStore(shown, frame => {
		const value = select(frame);
		if (last.current === undefined || !isSame(last.current.value, value)) last.current = {value};
		return last.current.value;
	});
}

/** Selects rows of the shown frame. Returns the same array until a row looks different. */
export function useRows<Of extends Row>(select: (frame: Layout) => readonly Of[] | undefined): readonly Of[] {
	return useFrame<readonly Of[]>(frame => select(frame) ?? none, isSameRows);
}

export const ThemeContext = createContext<Theme | undefined>(undefined);

/** Returns the theme of the screen. */
export function useTheme(): Theme {
	const theme = use(ThemeContext);
	if (theme === undefined) throw new Error('useTheme needs a ThemeContext');
	return theme;
}

/** Moves the terminal's cursor to the caret. An input method opens its window at the cursor. */
export function useCaret({x, y}: Place): void {
	const {setCursorPosition} = useCursor();
	setCursorPosition({x, y});
}

const none: readonly never[] = [];

function isSameRows(one: readonly Row[], other: readonly Row[]): boolean {
	return isSameList(one, other, isSameRow);
}

type Place = {readonly x: number; readonly y: number};
