import {holdKeys} from '../../hold-keys.ts';
import type {App} from '../../app.ts';
import type * as RewindCommands from './rewind-commands.ts';

/** Loads the rewind commands and runs one of them. Keys that you press during this time are buffered. */
export function withRewind(app: App, run: (commands: typeof RewindCommands) => Promise<boolean>): void {
	void holdKeys(app, async () => run(await loadCommands()));
}

/** Lists the entries of the rewind page again. */
export function listAgain(app: App): void {
	void loadCommands().then(({listEntries}) => listEntries(app));
}

/** The rewind commands are loaded on demand, because few sessions need them. */
async function loadCommands(): Promise<typeof RewindCommands> {
	return import('./rewind-commands.ts');
}
