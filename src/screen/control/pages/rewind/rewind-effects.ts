import {holdKeys} from '../../hold-keys.ts';
import type {App} from '../../app.ts';
import type {Effects} from '../../effect-types.ts';

/** Effects that send rewinds to the pod. Keys that you press meanwhile are held. */
export const rewindEffects: Effects = {
	'rewind listed': app => app.changed('now'),
	'ask for rewind': app => void holdKeys(app, async () => (await goingBack()).askForRewind(app)),
	'go back': (app, {point}) => void holdKeys(app, async () => (await goingBack()).goBack(app, point)),
	'undo rewind': (app, {undo}) => void holdKeys(app, async () => (await goingBack()).undoRewind(app, undo)),
	'fork before': (app, {point}) => void holdKeys(app, async () => (await goingBack()).forkBefore(app, point)),
};

/** This module is loaded on demand, because few sessions need it. */
const goingBack = async () => import('./rewind-commands.ts');

/** Lists the entries of the rewind page again. */
export function listAgain(app: App): void {
	void goingBack().then(({listEntries}) => listEntries(app));
}
