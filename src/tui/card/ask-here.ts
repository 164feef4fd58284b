import type {Ask} from '../../pod/protocol.ts';
import type {App} from '../state/app.ts';

/** Asks with a card of this screen. Resolves with the choice. */
export async function askHere(app: App, question: Omit<Ask, 'id'>): Promise<string> {
	const {promise, resolve} = Promise.withResolvers<string>();
	// No id of a pod begins like this.
	const id = `screen-${crypto.randomUUID()}`;
	waitingOf(app).set(id, resolve);
	app.dispatch({type: 'open own ask', ask: {...question, id}});
	const choice = await promise;
	app.dispatch({type: 'close own ask', id});
	return choice;
}

/** Settles a question of this screen. False: this screen did not ask it. */
export function settleAsk(app: App, id: string, choice: string): boolean {
	const waiting = waitingOf(app);
	waiting.get(id)?.(choice);
	return waiting.delete(id);
}

type Waiting = Map<string, (choice: string) => void>;

/** Who waits for the answer to a question of a screen, by the question's id. */
const waiters = new WeakMap<App, Waiting>();

function waitingOf(app: App): Waiting {
	const known = waiters.get(app) ?? new Map<string, (choice: string) => void>();
	waiters.set(app, known);
	return known;
}
