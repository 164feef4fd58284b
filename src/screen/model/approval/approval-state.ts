import type {ApprovalMode} from '../../../pod/protocol.ts';

/** `offeredAt` is the time when an alert offered `auto` as the next mode. It is `undefined` if there was no offer. */
export type ApprovalState = {readonly offeredAt: number | undefined};

export const noOffer: ApprovalState = {offeredAt: undefined};

/**
The result of pressing the approval key. `offersAuto`: the alert about the new mode offers `auto` as the next mode.
*/
type ApprovalChange = {readonly mode: ApprovalMode; readonly offersAuto: boolean};

/** `mode` is the current mode. `isHeld`: the user holds the key down. */
type ApprovalPress = {readonly mode: ApprovalMode; readonly isHeld: boolean; readonly now: number};

/**
Returns the change that one key press makes. The modes cycle from `ask` to `accept-edits`, to `plan`, and back to `ask`.
The change from `accept-edits` to `plan` also offers `auto`. A press during this offer changes the mode to `auto`.
Returns `undefined` if the press does nothing.
*/
export function changeOf(state: ApprovalState, {mode, isHeld, now}: ApprovalPress): ApprovalChange | undefined {
	const {offeredAt} = state;
	const since = offeredAt === undefined || mode !== 'plan' ? Number.POSITIVE_INFINITY : now - offeredAt;
	if (since < minMs) return undefined;
	if (since >= maxMs) return {mode: next[mode], offersAuto: mode === 'accept-edits'};
	return isHeld ? undefined : {mode: 'auto', offersAuto: false};
}

/** A press accepts the offer only between these two times after the offer, in milliseconds. */
const minMs = 400;
const maxMs = 4000;

const next: {readonly [Mode in ApprovalMode]: ApprovalMode} = {
	ask: 'accept-edits',
	'accept-edits': 'plan',
	plan: 'ask',
	auto: 'ask',
};
