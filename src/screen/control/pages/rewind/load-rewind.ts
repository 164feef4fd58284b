import {holdKeys} from '../../hold-keys.ts';
import type {App} from '../../app.ts';
import type * as RewindCommands from './rewind-commands.ts';

/** Runs a command that sends a rewind to the pod. Keys that you press meanwhile are held. */
export function withRewind(app: App, run: (commands: typeof RewindCommands) => Promise<boolean>): void {
	void holdKeys(app, async () => run(await loadCommands()));
}

/** Lists the entries of the rewind page again. */
export function listAgain(app: App): void {
	void loadCommands().then(({listEntries}) => listEntries(app));
}

/** This module is loaded on demand, because few sessions need it. */
async function loadCommands(): Promise<typeof RewindCommands> {
	return import('./rewind-commands.ts');
}
