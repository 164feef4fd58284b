import type {Ask} from '../../pod/protocol.ts';
import type {App} from '../app-state.ts';
import {followAsks} from './card-keys.ts';

/** Asks with a card of this screen. Resolves with the choice. */
export async function askHere(app: App, question: Omit<Ask, 'id'>): Promise<string> {
	const {promise, resolve} = Promise.withResolvers<string>();
	const ask: Ask = {...question, id: `screen-${++count}`};
	const change = (asks: App['ownAsks']) => {
		app.ownAsks = asks;
		followAsks(app);
		app.changed('now');
	};
	change([...app.ownAsks, {ask, settle: resolve}]);
	const choice = await promise;
	change(app.ownAsks.filter(own => own.ask !== ask));
	return choice;
}

/** Ids of this process's screens: none of a pod begins so. */
let count = 0;
