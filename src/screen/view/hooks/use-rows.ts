import type {Layout} from '../layout.ts';
import {isSameRow, type Row} from '../../spans/row.ts';
import {useFrame} from './use-frame.ts';
import {isSameList} from '../../../text/same-list.ts';

/** Selects rows of the shown frame. The array changes only when a row looks different. */
export function useRows<Of extends Row>(select: (frame: Layout) => readonly Of[] | undefined): readonly Of[] {
	return useFrame<readonly Of[]>(frame => select(frame) ?? none, isSameRows);
}

const none: readonly never[] = [];

function isSameRows(one: readonly Row[], other: readonly Row[]): boolean {
	return isSameList(one, other, isSameRow);
}
