import type {Method, Receipt} from '../protocol.ts';
import {accepted, createJobs} from '../status/job.ts';
import {messageOf} from '../status/texts.ts';
import {createChangeMethods, type ChangeOptions} from './change-methods.ts';
import {orInternalError, refuse} from './refuse.ts';
import {createRunMethods, type RunOptions} from './run-methods.ts';

export type ControllerOptions = RunOptions &
	ChangeOptions & {
		/** Stops a command in the background. */
		readonly stopBackground: (id: string) => Promise<Receipt>;
		/** Asks the user about what would end with the session. */
		readonly leave: () => Promise<Receipt>;
		/** Releases the session. */
		readonly close: () => Promise<void>;
	};

export type Controller = {send(method: Method): Promise<Receipt>};

/** Answers every method with one receipt, and runs one job at a time. */
export function createController(options: ControllerOptions): Controller {
	const {hub, steering, stopBackground, leave, close} = options;
	const jobs = createJobs(hub, () => steering.end());
	const runs = createRunMethods(options, jobs);
	const changes = createChangeMethods(options, jobs, () => closing);
	let closing = false;

	async function shutdown(): Promise<Receipt> {
		closing = true;
		await jobs.stop('pause');
		hub.close(await close().then(() => undefined, messageOf));
		return accepted;
	}

	async function dispatch(method: Method): Promise<Receipt> {
		switch (method.method) {
			case 'run':
				return runs.run(method.segments);
			case 'resume':
				return runs.resume();
			case 'pause':
				return runs.pause();
			case 'cancel':
				return runs.cancel();
			case 'steer':
				return runs.steer(method.segments);
			case 'notify':
				return runs.notify(method.text, method.run);
			case 'shell':
				return runs.shell(method.command);
			case 'add_dir':
				return changes.addDir(method.path);
			case 'approval':
				return changes.setApproval(method.mode);
			case 'context':
				return changes.changeContext(method);
			case 'compact':
				return changes.compact(method.hint);
			case 'rewind':
				return changes.rewind(method.to);
			case 'restore_files':
				return changes.restoreFiles(method);
			case 'answer':
				return changes.answer(method);
			case 'stop_background':
				return stopBackground(method.background);
			case 'leave':
				return orInternalError(leave());
			case 'shutdown':
				return shutdown();
		}
	}

	return {
		async send(method) {
			return closing ? refuse('closed') : dispatch(method);
		},
	};
}
