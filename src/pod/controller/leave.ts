import {accepted} from '../status/job.ts';
import type {Asks} from '../status/asks.ts';
import type {Background} from '../command/background.ts';
import type {Receipt} from '../protocol.ts';

/** What may become of commands in the background at the user's word. */
export type Leaving = {
	/** Asks whether the commands that run may be stopped with the session. One question at a time. */
	leave(): Promise<Receipt>;
	/** Stops one of them; the model is told. */
	stopBackground(id: string): Promise<Receipt>;
};

export type LeavingOptions = {readonly background: Background; readonly asks?: Asks; readonly signal: AbortSignal};

/** `asks` is absent where nobody can be asked: the session may be left then. */
export function createLeave({background, asks, signal}: LeavingOptions): Leaving {
	let asking: Promise<Receipt> | undefined;

	async function ask(open: Asks): Promise<Receipt> {
		const running = background.running();
		const isOne = running.length === 1;
		const what = isOne ? 'a background command' : `${running.length} background commands`;
		const answer = await open.ask(
			{
				title: `Quit and stop ${what}?`,
				detail: running.map(({id, command}) => `${id}  ${command}`).join('\n'),
				choices: [
					{choice: 'allow', label: isOne ? 'Stop it and quit' : 'Stop them and quit'},
					{choice: 'deny', label: 'Stay', refuses: true},
				],
			},
			signal,
			{first: true},
		);
		if (answer?.choice === 'allow') return accepted;
		return {accepted: false, code: 'aborted', sentence: 'Background commands are still running.'};
	}

	return {
		async leave() {
			if (asks === undefined || background.running().length === 0) return accepted;
			asking ??= ask(asks).finally(() => {
				asking = undefined;
			});
			return asking;
		},
		async stopBackground(id) {
			const ended = await background.stop(id, 'user');
			if (ended !== undefined) return accepted;
			return {accepted: false, code: 'no_such_command', sentence: `Background command ${id} is not running.`};
		},
	};
}
