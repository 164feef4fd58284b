import type {Action, ActionOf} from './actions.ts';
import type {AppState} from './app-state.ts';

/** A table of reducers. Each returns the state after its action. Reducers are pure. */
export type Reducers<Type extends Action['type']> = {
	readonly [Each in Type]: (state: AppState, action: ActionOf<Each>) => AppState;
};
