import {t} from '../../language/index.ts';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {createConfinement, type Confinement} from '../permissions/confine/confinement.ts';
import {finishTakeOvers} from '../permissions/confine/journal.ts';
import {gitStepRunner} from '../permissions/confine/run-git-steps.ts';
import type {Network} from '../permissions/confine/settings.ts';
import {confineTexts, noCellsTexts} from '../permissions/confine/texts.ts';
import type {Env} from '../ground/env/env.ts';
import {errorCode} from '../ground/files/fs-error.ts';
import type {CommandOptions} from '../tools/processes/start-command.ts';
import type {CoreOptions} from './options.ts';
import type {SessionParts} from './session.ts';

/**
Creates the confinement of a session's commands, unless it is off. Shortly after the start, the status shows whether the
confinement works.
*/
export function createSessionConfinement(
	{confine, env, child, session}: CoreOptions,
	{scope, hub}: SessionParts,
): Confinement | undefined {
	const cells = join(session.dir, 'cells');
	const finished = existsSync(cells) ? finishLeft(cells, env, hub) : undefined;
	if (confine === undefined || confine.mode === 'off') return undefined;
	const confinement = createConfinement({settings: confine, scope, env, git: child?.git, cells});
	// The probe runs later, so that the first frame does not wait for it.
	setTimeout(() => void showConfinement(confinement, hub), probeMs).unref();
	return {
		...confinement,
		async launch(...given) {
			await finished;
			return confinement.launch(...given);
		},
	};
}

/** Finishes applying the changes of confined commands, if an earlier process exited while it applied them. */
async function finishLeft(cells: string, env: Env, {alert}: Pick<SessionParts['hub'], 'alert'>): Promise<void> {
	try {
		const count = await finishTakeOvers(cells, gitStepRunner(env));
		if (count > 0) alert({level: 'info', text: confineTexts.finished});
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		alert({level: 'warn', text: confineTexts.unfinished(errorCode(cause))});
	}
}

async function showConfinement(confinement: Confinement, hub: SessionParts['hub']): Promise<void> {
	const [why, noCells] = await Promise.all([confinement.missing(t), confinement.noCells()]);
	const isNoticed = why === undefined && noCells !== undefined && noCells !== 'read_only';
	hub.setStatus({confined: why ?? true, ...(isNoticed && {noCells: noCellsTexts[noCells]})});
}

/** The number of milliseconds between the start and the check whether commands can be confined. */
const probeMs = 300;

/** Returns the function that starts a command confined, with this access to the network. */
export function launchWith(confinement: Confinement, network: Network): NonNullable<CommandOptions['launch']> {
	return async (shell, command, env) => confinement.launch(shell, command, env, network);
}
