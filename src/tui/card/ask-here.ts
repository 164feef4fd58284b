import type {Ask} from '../../pod/protocol.ts';
import type {OwnAsk} from './card.ts';
import type {App} from '../state/app.ts';
import {followAsks} from './card-keys.ts';

/** Asks with a card of this screen. Resolves with the choice. */
export async function askHere(app: App, question: Omit<Ask, 'id'>): Promise<string> {
	const {promise, resolve} = Promise.withResolvers<string>();
	const ask: Ask = {...question, id: `screen-${++count}`};
	const change = (asks: readonly OwnAsk[]) => {
		app.dispatch({type: 'set own asks', asks});
		followAsks(app);
		app.changed('now');
	};
	change([...app.state.ownAsks, {ask, settle: resolve}]);
	const choice = await promise;
	change(app.state.ownAsks.filter(own => own.ask !== ask));
	return choice;
}

/** Ids of this process's screens: none of a pod begins so. */
let count = 0;
