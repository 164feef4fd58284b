import type {Action, ActionOf} from './actions.ts';
import type {AppState} from './app-state.ts';
import type {App} from './app.ts';

/** What actions make of the state, one function each. Pure. */
export type Reducers<Type extends Action['type']> = {
	readonly [Each in Type]: (state: AppState, action: ActionOf<Each>) => AppState;
};

/**
What actions ask of the pod, the terminal or a timer, once the next state is there. `before`: the state until then.
*/
export type Effects = {
	readonly [Each in Action['type']]?: (app: App, action: ActionOf<Each>, before: AppState) => void;
};

/** Called after every action: for what follows from a change of the state, whatever changed it. It must be cheap. */
export type Subscriber = (app: App, before: AppState, action: Action) => void;
