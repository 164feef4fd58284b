import type {Action} from '../model/actions.ts';
import type {AppState} from '../model/app-state.ts';
import type {App} from './app.ts';

/** A function that runs after every action and reacts to changes of the state. It must be cheap. */
export type Subscriber = (app: App, before: AppState, action: Action) => void;
