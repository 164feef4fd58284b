import type {Background} from '../../tools/processes/background.ts';
import type {ChildStatus, Receipt} from '../../protocol.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import {accepted} from '../status/job.ts';
import {commandNotRunning, leaveTexts, notMoved, stillRunningText} from './texts.ts';

/** The methods for leaving a session and for its background commands. */
type ExitMethods = {
	/** Asks whether the running commands may be stopped with the session. Only one question is open at a time. */
	leave(): Promise<Receipt>;
	/** Stops a background command and notifies the model. */
	stopBackground(id: string): Promise<Receipt>;
	/** Sets whether the end of a background command wakes the model. */
	wakeBackground(id: string, wakes: boolean): Receipt;
	/** Moves the running commands to the background. */
	moveToBackground(): Receipt;
};

type ExitOptions = {
	readonly background: Background;
	/** Returns the child sessions that work now. */
	readonly children?: () => readonly ChildStatus[];
	readonly asks?: Asks;
	readonly signal: AbortSignal;
};

/** Creates the methods. Without `asks`, no one can answer, so the session may be left without a question. */
export function createExitMethods({background, children = () => [], asks, signal}: ExitOptions): ExitMethods {
	const childrenLeft = () => children().filter(child => child.background === true);
	let asking: Promise<Receipt> | undefined;

	async function ask(open: Asks): Promise<Receipt> {
		const running = background.running();
		const left = childrenLeft();
		const {title, stop, stay} = leaveTexts(running.length, left.length);
		const answer = await open.ask(
			{
				title,
				detail: [
					...running.map(({id, command}) => `${id}  ${command}`),
					...left.map(child => leaveTexts(0, 1).child(child.title)),
				].join('\n'),
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

	return {
		async leave() {
			const isQuiet = background.running().length === 0 && childrenLeft().length === 0;
			if (asks === undefined || isQuiet) return accepted;
			asking ??= ask(asks).finally(() => {
				asking = undefined;
			});
			return asking;
		},
		async stopBackground(id) {
			const ended = await background.stop(id, 'user');
			return ended === undefined ? notRunning(id) : accepted;
		},
		moveToBackground() {
			const reason = background.moveHere();
			if (reason === undefined) return accepted;
			return {accepted: false, code: 'no_such_command', sentence: notMoved[reason]};
		},
		wakeBackground: (id, wakes) => (background.setWakes(id, wakes) ? accepted : notRunning(id)),
	};
}

function notRunning(id: string): Receipt {
	return {accepted: false, code: 'no_such_command', sentence: commandNotRunning(id)};
}
