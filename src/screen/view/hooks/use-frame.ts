import {createContext, use, useRef} from 'react';
import {useStore} from 'zustand';
import type {StoreApi} from 'zustand/vanilla';
import type {Layout} from '../layout.ts';

/** The latest frame that `mount/pace` asked for. It changes once per frame, not with every action. */
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
