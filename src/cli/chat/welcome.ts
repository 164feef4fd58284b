import type {Setup} from '../../screen/model/app-state.ts';
import type {Plan} from '../../pod/first-frame.ts';
import {opening} from './texts.ts';

/** Returns what an empty transcript shows: the first screen of a new session, or that a session is opening. */
export function welcome(
	{model, session}: Pick<Plan, 'model' | 'session'>,
	version: string,
): Pick<Setup, 'welcome' | 'firstScreen'> {
	if (session.kind === 'stored') return {welcome: [[], [{text: opening, style: 'dim'}]]};
	return {welcome: [], firstScreen: {version, looksForModel: looksForModel({model})}};
}

/**
Tells whether to ask the servers on this machine for models. This happens only if no model is named and there is no API
key.
*/
export function looksForModel({model}: Pick<Plan, 'model'>): boolean {
	return model.source === 'default';
}
