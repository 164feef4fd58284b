import type {Action, ActionOf} from '../model/actions.ts';
import type {AppState} from '../model/app-state.ts';
import type {App} from './app.ts';

/**
A table of effects. Each uses the pod, the terminal or a timer after its action has changed the state. `before` is the
state before the action.
*/
export type Effects = {
	readonly [Each in Action['type']]?: (app: App, action: ActionOf<Each>, before: AppState) => void;
};

/** A function that runs after every action and reacts to changes of the state. It must be cheap. */
export type Subscriber = (app: App, before: AppState, action: Action) => void;
