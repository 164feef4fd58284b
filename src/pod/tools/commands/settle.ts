import type {ToolCallContext} from '../../../worker/index.ts';
import {readablePath} from '../../ground/files/byte-path.ts';
import {onOneLine, quoteUntrusted} from '../../ground/text/one-line.ts';
import type {OpenCell, Outcome} from '../../permissions/confine/cells.ts';
import {plainPath} from '../../permissions/confine/effects.ts';
import type {LeftOut, LeftOutReason} from '../../permissions/confine/layer.ts';
import {limitHint, sandboxHint} from '../../permissions/confine/sandbox-hint.ts';
import type {Network} from '../../permissions/confine/settings.ts';
import {confineTexts} from '../../permissions/confine/texts.ts';
import type {PartedChanges} from '../../permissions/confine/change-parts.ts';
import type {Refusal} from '../../permissions/approval/refusal.ts';
import type {Trial} from '../../permissions/approval/trial.ts';
import type {ToolDetails} from '../../protocol.ts';
import type {OutputFile} from '../processes/output-file.ts';
import type {CommandEnd} from '../processes/start-command.ts';
import {listOf} from './created-notes.ts';
import {shownChanges} from './shown-changes.ts';

/** How a command runs again: as one that the user has approved, with network, or without confinement. */
export type Again = 'approved' | 'network' | 'unconfined';

/** The questions and messages to the user about a confined command. */
export type ConfineTalk = {
	/** Tells the user what a command created, or which changes inkpod did not take over. */
	readonly onCreated: (sentence: string) => void;
	/** Asks the user whether to keep changes to files that other programs run. Absent if nobody can answer. */
	readonly askProtected?: (call: ToolCallContext, paths: readonly string[]) => Promise<boolean>;
	/** Asks the user whether to rerun a command that failed because of confinement. Absent if nobody can answer. */
	readonly askAgain?: (
		call: ToolCallContext,
		line: string,
		network: Network,
	) => Promise<Exclude<Again, 'approved'> | undefined>;
};

/** The outcome of a confined command, without its output. */
export type Settled = {
	/** How the command runs again. The changes of its first run are discarded. */
	readonly again?: Again | undefined;
	/** Absent if there is no cell, or if the command changed nothing before inkpod stopped it. */
	readonly outcome?: Outcome | undefined;
	/**
	The reason why a tried command is not allowed to run. If `outcome` is absent, the command's output is also
	discarded.
	*/
	readonly refusal?: Refusal;
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
	const {cell, network, call, confine, isAwaited, trial} = options;
	if (end !== 'exit' && end !== 'signal') return discarded(cell);
	if (trial !== undefined) return settleTrial(trial, code, options);
	const line = code === 0 ? undefined : sandboxHint(await lastOf(options.output), network);
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
	return taken(await cell.take(isAwaited && (await isProtectedTaken(cell, options))), cause, confine);
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

export type SettleOptions = {
	/** Absent if the command works in the project itself. */
	readonly cell: OpenCell | undefined;
	readonly network: Network;
	/** The network that the command has once the user has approved exactly this call. */
	readonly networkIfApproved: Network;
	readonly output: OutputFile;
	readonly call: ToolCallContext;
	readonly confine: ConfineTalk;
	/** Whether a user who can answer is waiting for the result. */
	readonly isAwaited: boolean;
	/** Present if the user has not approved the command. */
	readonly trial?: TriedCommand | undefined;
};

/** A command that runs before the user has approved it. */
export type TriedCommand = Trial & {
	readonly command: string;
	/** How many milliseconds the command ran. */
	readonly ms: number;
	/** Whether the user may let commands run without confinement. */
	readonly mayRunUnconfined: boolean;
};

/**
Decides what happens after a command was tried. inkpod takes over its changes if the user, the mode or a rule allows
this. If something was missing in the trial, the user may let the command run, and the result of the trial is discarded.
*/
async function settleTrial(trial: TriedCommand, code: number | undefined, options: SettleOptions): Promise<Settled> {
	const {cell, call, confine, isAwaited, output} = options;
	if (cell === undefined || !isAwaited) return discarded(cell);
	const text = code === 0 ? '' : await lastOf(output);
	const lacked = await lackedBy(cell, text, options);
	if (lacked !== undefined) {
		await cell.discard();
		const answer = await trial.askToRun(lacked);
		if (answer.type === 'no') return {refusal: answer.refusal, notes: []};
		return answer.type === 'yes' ? {again: 'approved', notes: []} : {notes: []};
	}
	const line = sandboxHint(text, 'none');
	const again = line === undefined ? undefined : await confine.askAgain?.(call, line, 'none');
	if (call.signal.aborted) return discarded(cell);
	if (again !== undefined) {
		await cell.discard();
		return {again, notes: []};
	}
	const hasTried = cell.hasTriedNetwork() ? [confineTexts.triedNetwork] : [];
	const cause = line === undefined ? hasTried : [confineTexts.cause(line)];
	const changes = await cell.changes();
	if (changes === undefined || changes.parts.length + changes.leftOut.length === 0)
		return taken(await cell.take(false), cause, confine);
	const shown = await shownChanges(changes, {...trial, code, output: await lastOf(output)});
	const {leftOut, files, isOutside} = changes;
	const isSpecial = isOutside || leftOut.length > 0 || files.some(({isProtected}) => isProtected);
	const answer = await trial.askToTake(shown, isSpecial);
	if (answer.type === 'paused' || call.signal.aborted) return discarded(cell);
	if (answer.type === 'yes' && answer.some !== undefined)
		return someTaken(cell, {...answer.some, names: shown.parts, changes, cause}, confine);
	if (answer.type === 'yes')
		return taken(await cell.take(answer.isSeen || (await isProtectedTaken(cell, options))), cause, confine);
	await cell.discard();
	if (answer.type === 'again') return {again: 'unconfined', notes: []};
	const {refusal} = answer;
	const note = confineTexts.refusedChanges(refusal.type === 'user' ? (refusal.reason ?? '') : undefined);
	return {outcome: {type: 'discarded'}, refusal, notes: [...cause, note]};
}

/** Returns a sentence about what a command needed but did not have in its trial. */
async function lackedBy(
	cell: OpenCell,
	failure: string,
	{networkIfApproved}: SettleOptions,
): Promise<string | undefined> {
	const secrets = (await cell.touchedSecrets())?.map(path => quoteUntrusted(readablePath(path)));
	if (secrets === undefined) return confineTexts.lacked.unknown;
	if (secrets.length > 0) return confineTexts.lacked.secrets(listOf(secrets));
	if (cell.hasTriedNetwork() && networkIfApproved === 'open') return confineTexts.lacked.network;
	const line = limitHint(failure);
	return line === undefined ? undefined : confineTexts.lacked.limits(quoteUntrusted(line));
}

type Some = {
	/** The indexes of the parts that the user takes. */
	readonly parts: readonly number[];
	readonly reason: string;
	/** The name of each part. */
	readonly names: readonly string[];
	readonly changes: PartedChanges;
	readonly cause: readonly string[];
};

async function someTaken(
	cell: OpenCell,
	{parts, reason, names, changes, cause}: Some,
	confine: ConfineTalk,
): Promise<Settled> {
	const wanted = new Set(parts);
	const outcome = await cell.take(
		true,
		changes.parts.filter((_, n) => wanted.has(n)),
	);
	const [chosen, others] = [names.filter((_, n) => wanted.has(n)), names.filter((_, n) => !wanted.has(n))];
	const note = confineTexts.takenInPart(chosen.map(quoteUntrusted), others.map(quoteUntrusted), reason);
	return taken(outcome, [...cause, ...(outcome.type === 'taken' ? [note] : [])], confine);
}

function taken(outcome: Outcome, cause: readonly string[], confine: ConfineTalk): Settled {
	const notes = notesOf(outcome);
	for (const note of notes) confine.onCreated(note);
	return {outcome, notes: [...cause, ...notes]};
}

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
