import type {ApprovalMode} from '../../pod/protocol.ts';

/** When the approval key said that it leads to `auto` next; absent while it does not. */
export type ApprovalState = {readonly offeredAt: number | undefined};

export const noOffer: ApprovalState = {offeredAt: undefined};

/** What the approval key changes. `offersAuto`: the notice of it says that the key leads to `auto` next. */
export type ApprovalChange = {readonly mode: ApprovalMode; readonly offersAuto: boolean};

/** `mode`: the one until now. `isHeld`: the key is held down. */
export type ApprovalPress = {readonly mode: ApprovalMode; readonly isHeld: boolean; readonly now: number};

/**
The change of one press of the key: from asking to accepting edits and back. `auto` comes only from another press while
its offer is on the screen, and not from one that was on its way already. Absent: the press does nothing.
*/
export function changeOf(state: ApprovalState, {mode, isHeld, now}: ApprovalPress): ApprovalChange | undefined {
	const {offeredAt} = state;
	const since = offeredAt === undefined || mode !== 'ask' ? Number.POSITIVE_INFINITY : now - offeredAt;
	if (since < minMs) return undefined;
	if (since >= maxMs) return {mode: next[mode], offersAuto: mode === 'accept-edits'};
	return isHeld ? undefined : {mode: 'auto', offersAuto: false};
}

/** How long after the offer a press accepts it, in milliseconds. */
const minMs = 400;
const maxMs = 4000;

const next: {readonly [Mode in ApprovalMode]: ApprovalMode} = {ask: 'accept-edits', 'accept-edits': 'ask', auto: 'ask'};
