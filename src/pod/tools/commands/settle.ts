import type {ToolCallContext} from '../../../worker/index.ts';
import {readablePath} from '../../ground/files/byte-path.ts';
import {onOneLine, quoteUntrusted} from '../../ground/text/one-line.ts';
import type {OpenCell, Outcome} from '../../permissions/confine/cells.ts';
import {plainPath} from '../../permissions/confine/effects.ts';
import type {LeftOut, LeftOutReason} from '../../permissions/confine/layer.ts';
import {sandboxHint} from '../../permissions/confine/sandbox-hint.ts';
import type {Network} from '../../permissions/confine/settings.ts';
import {confineTexts} from '../../permissions/confine/texts.ts';
import type {ToolDetails} from '../../protocol.ts';
import type {OutputFile} from '../processes/output-file.ts';
import type {CommandEnd} from '../processes/start-command.ts';
import {listOf} from './created-notes.ts';

/** How a command runs again: with network, or without confinement. */
export type Again = 'network' | 'unconfined';

/** The questions and messages to the user about a confined command. */
export type ConfineTalk = {
	/** Tells the user what a command created, or which changes inkpod did not take over. */
	readonly onCreated: (sentence: string) => void;
	/** Asks the user whether to keep changes to files that other programs run. It is absent if nobody can answer. */
	readonly askProtected?: (call: ToolCallContext, paths: readonly string[]) => Promise<boolean>;
	/**
	Asks the user whether to rerun a command that failed because of confinement. It is absent if nobody can answer.
	*/
	readonly askAgain?: (call: ToolCallContext, line: string, network: Network) => Promise<Again | undefined>;
};

/** The outcome of a confined command, without its output. */
export type Settled = {
	/** How the command runs again. The changes of its first run are discarded. */
	readonly again?: Again | undefined;
	/** Absent if there is no cell, or if the command changed nothing before inkpod stopped it. */
	readonly outcome?: Outcome | undefined;
	/** Sentences for the result. */
	readonly notes: readonly string[];
};

/**
Decides about the changes of a confined command that has ended. The user may let the command run again with more rights.
Otherwise inkpod takes its changes over, or discards them if the command was stopped.
*/
export async function settle(
	end: CommandEnd['type'],
	code: number | undefined,
	options: SettleOptions,
): Promise<Settled> {
	const {cell, network, call, confine, isAwaited} = options;
	if (end !== 'exit' && end !== 'signal') return discarded(cell);
	const line = code === 0 ? undefined : sandboxHint(await lastOf(options.output));
	const tried = cell?.hasTriedNetwork() === true ? confineTexts.triedNetwork : undefined;
	const why = line ?? tried;
	const again = why !== undefined && isAwaited ? await confine.askAgain?.(call, why, network) : undefined;
	if (call.signal.aborted) return discarded(cell);
	if (again !== undefined) {
		await cell?.discard();
		return {again, notes: []};
	}
	const cause = line === undefined ? (tried === undefined ? [] : [tried]) : [confineTexts.cause(line)];
	if (cell === undefined) return {notes: cause};
	const outcome = await cell.take(isAwaited && (await isProtectedTaken(cell, options)));
	const notes = notesOf(outcome);
	for (const note of notes) confine.onCreated(note);
	return {outcome, notes: [...cause, ...notes]};
}

/** Returns the facts about the changes of a command for the record. */
export function effectsOf({outcome}: Settled): Pick<NonNullable<ToolDetails['command']>, 'effects' | 'discarded'> {
	if (outcome === undefined) return {};
	if (outcome.type === 'failed' && outcome.isKept) return {};
	if (outcome.type !== 'taken') return {discarded: true};
	const {counts, isChanged, leftOut} = outcome;
	const isCounted = counts.added + counts.changed + counts.deleted > 0;
	return {
		effects: {...counts, ...(isChanged && !isCounted && {others: true})},
		...(!isChanged && leftOut.length > 0 && {discarded: true}),
	};
}

type SettleOptions = {
	/** Absent if the command works in the project itself. */
	readonly cell: OpenCell | undefined;
	readonly network: Network;
	readonly output: OutputFile;
	readonly call: ToolCallContext;
	readonly confine: ConfineTalk;
	/** Whether a user who can answer is waiting for the result. */
	readonly isAwaited: boolean;
};

async function discarded(cell: OpenCell | undefined): Promise<Settled> {
	const hadEffects = cell?.hasEffects() === true;
	await cell?.discard();
	return hadEffects ? {outcome: {type: 'discarded'}, notes: [confineTexts.discarded]} : {notes: []};
}

async function isProtectedTaken(cell: OpenCell, {call, confine}: SettleOptions): Promise<boolean> {
	if (confine.askProtected === undefined) return false;
	const paths = await cell.protectedChanges();
	return (
		paths.length > 0 &&
		confine.askProtected(
			call,
			paths.map(path => onOneLine(readablePath(path))),
		)
	);
}

/** Returns the end of an output, because it usually contains the reason for a failure. */
async function lastOf(output: OutputFile): Promise<string> {
	const size = await output.size();
	return (await output.read(Math.max(0, size - lastBytes), lastBytes)).toString();
}

const lastBytes = 64 * 1024;

function notesOf(outcome: Outcome): readonly string[] {
	if (outcome.type === 'discarded') return [confineTexts.discarded];
	if (outcome.type === 'too_many') return [confineTexts.tooMany];
	if (outcome.type === 'failed')
		return [outcome.isKept ? confineTexts.takeLater(outcome.code) : confineTexts.notTaken(outcome.code)];
	const {leftOut, notes} = outcome;
	return [...(['conflict', 'protected', 'git', 'special'] as const).flatMap(why => noteOf(why, leftOut)), ...notes];
}

function noteOf(why: LeftOutReason, leftOut: readonly LeftOut[]): readonly string[] {
	const paths = new Set(leftOut.filter(one => one.why === why).map(({path}) => path));
	return paths.size === 0 ? [] : [confineTexts.leftOut[why](listOf([...paths].map(nameOf)))];
}

function nameOf(path: string): string {
	return quoteUntrusted(plainPath(path));
}
