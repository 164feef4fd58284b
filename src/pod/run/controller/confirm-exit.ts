import type {Receipt} from '../../protocol.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import {accepted} from '../status/job.ts';
import {leaveTexts, stillRunningText} from './texts.ts';

/** What runs beside the conversation and would end with the session: a line for each. `count` counts them in words. */
export type Running = {readonly lines: readonly string[]; readonly count: (lines: number) => string};

type ExitOptions = {
	readonly running: () => readonly Running[];
	/** Absent if no one can answer, so that the session may be left without a question. */
	readonly asks?: Asks;
	readonly signal: AbortSignal;
};

/**
Creates the method that asks whether what runs may be stopped with the session. Only one question is open at a time.
*/
export function createLeave({running, asks, signal}: ExitOptions): () => Promise<Receipt> {
	let asking: Promise<Receipt> | undefined;

	async function ask(open: Asks, all: readonly Running[]): Promise<Receipt> {
		const lines = all.flatMap(each => each.lines);
		const names = all.map(each => each.count(each.lines.length));
		const {title, stop, stay} = leaveTexts(names, lines.length);
		const answer = await open.ask(
			{
				title,
				detail: lines.join('\n'),
				choices: [
					{choice: 'allow', label: stop},
					{choice: 'deny', label: stay, refuses: true},
				],
			},
			signal,
			{first: true},
		);
		if (answer?.choice === 'allow') return accepted;
		return {accepted: false, code: 'aborted', sentence: stillRunningText};
	}

	return async () => {
		const all = running().filter(({lines}) => lines.length > 0);
		if (asks === undefined || all.length === 0) return accepted;
		asking ??= ask(asks, all).finally(() => {
			asking = undefined;
		});
		return asking;
	};
}
