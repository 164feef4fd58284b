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

/** Servers on this machine are asked for models only if nothing names a model and there is no key. */
export function looksForModel({model}: Pick<Plan, 'model'>): boolean {
	return model.source === 'default';
}
