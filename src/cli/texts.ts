import {t, tCount} from '../language/index.ts';
import type {OpenEnd} from '../pod/index.ts';
import type {UnfinishedCompactions} from '../pod/protocol.ts';

/** The texts that inkpod prints outside of the chat. */
/** Asks whether the user meant a subcommand, because the prompt is one word that resembles its name. */
export function askSubcommand(word: string, name: string): string {
	return t`inkpod: "${word}" is not a command. Run "inkpod ${name}" instead? (y: run it, n: send it as a prompt) `;
}

export function notSubcommand(word: string, name: string): string {
	const prompt = t`To send it as a prompt, use -p, or type it in the chat.`;
	return t`"${word}" is not a command. Did you mean: inkpod ${name}? ${prompt}`;
}

export const noSessions = t`No sessions yet.`;

export const noSessionsHere = t`No sessions in this directory. List all with: inkpod sessions --all`;

export const noHits = t`No session contains this text.`;

export const noRequestYet = t`This session has no request yet: it has no setup (model, prompt and tools).`;

export const noSocketFolder = t`No folder for sockets is available, so inkpod cannot reach any session.`;

export const sound = t`The session is intact.`;

export const soundToEnd = t`The session is intact up to its unfinished end, which the next start repairs.`;

/** Returns the sentence that names the copy of a damaged session. */
export function repairedAs(damaged: string, copy: string): string {
	return t`The copy is session ${copy}. Session ${damaged} is unchanged. Resume the copy with: inkpod -r ${copy}`;
}

/** Says what the next start adds to a session: items that are only in the log of streamed text. */
export function openEndWords({streamed, waiting}: OpenEnd): string {
	const parts = [
		...(streamed.length === 0 ? [] : [t`${counted(streamed.length, 'item')} that the next start saves`]),
		...(waiting.length === 0 ? [] : [t`${counted(waiting.length, 'message')} waiting`]),
	];
	return [t`unfinished`, ...parts].join(', ');
}

export const damaged = t`The session is damaged.`;

export const sameRequests = t`All requests are identical to what was sent.`;
export const sameButRedacted = t`All requests are identical to what was sent, except for the text that you removed.`;

/** Returns a count with its noun: `12 sessions`, `1 session`. */
export function counted(count: number, noun: string): string {
	return tCount(count, noun);
}

export function age(ms: number): string {
	for (const [unit, name] of ages) if (ms >= unit) return t`${Math.floor(ms / unit)} ${name} ago`;
	return t`just now`;
}

export function size(bytes: number): string {
	for (const [unit, name] of sizes) if (bytes >= unit) return `${(bytes / unit).toFixed(1)} ${name}`;
	return `${bytes} B`;
}

const ages = [
	[86_400_000, 'd'],
	[3_600_000, 'h'],
	[60_000, 'min'],
] as const;

const sizes = [
	[1_000_000_000, 'GB'],
	[1_000_000, 'MB'],
	[1000, 'KB'],
] as const;

export function forkOf(words: string, session: string): string {
	return t`${words} (fork of ${session})`;
}

export function unfinishedWords(words: string): string {
	return t`${words} (unfinished)`;
}

export function windowShare(tokens: number, window: number | undefined): string {
	return window === undefined ? t`window unknown` : t`${Math.round((tokens / window) * 100)}% of ${number(window)}`;
}

export function number(value: number): string {
	return value.toLocaleString('en-US');
}

export const fileStates = {changed: t`changed on disk`, gone: t`deleted from disk`} as const;

export function summaryOf(items: number): string {
	return t`summary of ${counted(items, 'item')}`;
}

export function partOf(bytes: number, total: number): string {
	return t`${number(bytes)} of ${number(total)} bytes`;
}

export function createdIn(id: string, created: string, cwd: string, fork: string | undefined): string {
	return t`${id}, created ${created} in ${cwd}${fork === undefined ? '' : t`, fork of ${fork}`}`;
}

export function checkResult(failures: number, notes: number): string {
	if (failures > 0) return counted(failures, 'failure');
	return notes === 0 ? t`ok` : t`ok, ${counted(notes, 'note')}`;
}

/** Returns a line about a finding. `path` names the file if it is not the session's own history. */
export function finding(level: 'note' | 'failure', line: number | undefined, sentence: string, path?: string): string {
	const place = `${line === undefined ? '' : t` at line ${line}`}${path === undefined ? '' : t` in ${path}`}`;
	return `${level === 'note' ? t`note` : t`FAILURE`}${place}: ${sentence}`;
}

/** Counts the compactions that did not finish. `input` and `output` are the tokens that providers counted. */
export function unfinishedCompactions({compactions, requests, input = 0, output = 0}: UnfinishedCompactions): string {
	const cost = t`${counted(requests, 'request')}, ${number(input)} tokens in, ${number(output)} out`;
	return t`${counted(compactions, 'compaction')} did not finish: ${cost}`;
}

/** Counts the conversations of compactions. */
export function sideCounts(count: number, unfinished: number): string {
	return `${counted(count, 'conversation')}${unfinished === 0 ? '' : t`, ${unfinished} of them unfinished`}`;
}

export function blobCounts(count: number): string {
	return count === 1 ? t`1 image or document` : t`${count} images and documents`;
}

export function sideQuestionCounts(count: number): string {
	return counted(count, 'side question');
}

export function childCounts(count: number): string {
	return counted(count, 'child session');
}

type RequestCounts = {
	readonly same: number;
	readonly different: number;
	readonly redacted: number;
	readonly unchecked: number;
	readonly unsent: number;
	readonly unmade: number;
};

export function requestCounts({same, different, redacted, unchecked, unsent, unmade}: RequestCounts): string {
	const total = same + different + redacted + unchecked + unsent + unmade;
	const changed = redacted === 0 ? '' : t`, ${redacted} redacted`;
	const damaged = unchecked === 0 ? '' : t`, ${unchecked} that cannot be checked because of the damage`;
	const others = t`${unmade} that cannot be rebuilt, ${unsent} never sent`;
	return t`${total}: ${same} identical, ${different} different${changed}${damaged}, ${others}`;
}

type DifferentRequest = {
	readonly n: number;
	readonly id: string;
	readonly at: string;
	readonly made: string;
	readonly sent: string;
};

/**
Describes a request that differs from the one that was sent. `path` names the file if it is not the session's own
history.
*/
export function differentRequest({n, id, at, made, sent}: DifferentRequest, path?: string): string {
	const place = path === undefined ? '' : t` in ${path}`;
	return t`FAILURE at request ${n} (${id}, ${at})${place}: the rebuilt body has the sha256 ${made}, but the sent body
		had ${sent}.`;
}

/** The states of sessions in their list. `paused`: a turn was interrupted. `idle`: nothing runs. */
export const stateWords = {
	needs_you: t`needs you`,
	running: t`running`,
	paused: t`paused`,
	idle: t`open`,
	ended: t`ended`,
} as const;

/** Words in the list of models. */
export const modelColumns = {thisMachine: t`on this machine`, usual: t`default`} as const;

/** Says how many models the list leaves out. */
export const moreModels = (count: number) => t`${count} more, without a key (inkpod models --all)`;
