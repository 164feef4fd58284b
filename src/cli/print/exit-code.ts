import type {Receipt, Refusal} from '../../pod/protocol.ts';
import {exitCodeOf} from '../output/signals.ts';

/** The end of a run in print mode. */
type PrintEnd = {
	/** Aborts with an `ExitReason` when a signal or lost output ends the program. */
	readonly signal: AbortSignal;
	readonly isUsageError?: boolean;
	readonly receipt?: Receipt;
	readonly outcome?: string;
	/** Whether the last answer is complete. */
	readonly isWhole?: boolean;
	/** The number of denied tool calls. */
	readonly denied?: number;
};

/** Returns the exit code of print mode: the first of 130/143, 2, 3, 1, 4, 5 that applies (docs/print.md). */
export function exitCode(end: PrintEnd): number {
	const {signal, isUsageError = false, receipt, outcome = 'finished', isWhole = true, denied = 0} = end;
	if (signal.aborted) return exitCodeOf(signal);
	if (isUsageError) return 2;
	if (receipt?.accepted === false) return refusalCodes[receipt.code] ?? 1;
	if (!isWhole || (outcome !== 'finished' && outcome !== 'limit')) return 1;
	if (outcome === 'limit') return 4;
	return denied > 0 ? 5 : 0;
}

/** The exit codes of refusals. All other refusals exit with 1. */
const refusalCodes: Partial<Record<Refusal, number>> = {empty: 2, model: 2, workflow: 3, hook: 3, untrusted: 3};
