import type {Layout} from '../layout.ts';
import {byBlock, isSameVisible, type VisibleBlock} from '../../rows/viewport/visible-rows.ts';
import {useFrame} from '../hooks/use-frame.ts';
import {isSameList} from '../../../text/same-list.ts';

/** Returns the blocks on the screen with their visible rows. The array changes only when the rows look different. */
export function useVisibleBlocks(): readonly VisibleBlock[] {
	return useFrame(visibleBlocks, isSameBlocks);
}

function visibleBlocks({transcript}: Layout): readonly VisibleBlock[] {
	return byBlock(transcript.rows);
}

function isSameBlocks(one: readonly VisibleBlock[], other: readonly VisibleBlock[]): boolean {
	return isSameList(one, other, (left, right) => isSameVisible(left.rows, right.rows));
}
