import type {Receipt, Refusal} from '../../pod/protocol.ts';
import {exitCodeOf} from '../output/signals.ts';

/** How a run in print mode ended. */
export type PrintEnd = {
	/** Aborted with an `ExitReason` when a signal or lost output ended the program. */
	readonly signal: AbortSignal;
	readonly isUsageError?: boolean;
	readonly receipt?: Receipt;
	readonly outcome?: string;
	/** The number of denied tool calls. */
	readonly denied?: number;
};

/** The exit code of print mode: the first that applies in the order 130/143, 2, 3, 1, 4, 5 (docs/print.md). */
export function exitCode({signal, isUsageError = false, receipt, outcome = 'finished', denied = 0}: PrintEnd): number {
	if (signal.aborted) return exitCodeOf(signal);
	if (isUsageError) return 2;
	if (receipt?.accepted === false) return refusalCodes[receipt.code] ?? 1;
	if (outcome === 'limit') return 4;
	if (outcome !== 'finished') return 1;
	return denied > 0 ? 5 : 0;
}

/** Refusals of a submission. Any other refusal is a failure. */
const refusalCodes: Partial<Record<Refusal, number>> = {empty: 2, workflow: 3, hook: 3, untrusted: 3};
