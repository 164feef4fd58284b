import type {Receipt, Refusal} from '../../pod/protocol.ts';
import {exitCodes, type ExitReason} from '../output/signals.ts';

/** How a run in print mode ended, as far as it came. */
export type PrintEnd = {
	/** Aborted with an `ExitReason` when something else ended the program. */
	readonly left: AbortSignal;
	readonly isUsageError?: boolean;
	readonly receipt?: Receipt;
	readonly outcome?: string;
	/** Tool calls that a rule denied, or that nobody could approve. */
	readonly denied?: number;
};

/** The exit code of print mode: of all that apply the first in the order 130/143, 2, 3, 1, 4, 5 (docs/print.md). */
export function exitCode({left, isUsageError = false, receipt, outcome = 'finished', denied = 0}: PrintEnd): number {
	if (left.aborted) return exitCodes[left.reason as ExitReason];
	if (isUsageError) return 2;
	if (receipt?.accepted === false) return refusalCodes[receipt.code] ?? 1;
	if (outcome === 'limit') return 4;
	if (outcome !== 'finished') return 1;
	return denied > 0 ? 5 : 0;
}

/** Refusals of a submission; any other failed. */
const refusalCodes: Partial<Record<Refusal, number>> = {empty: 2, workflow: 3, hook: 3, untrusted: 3};
