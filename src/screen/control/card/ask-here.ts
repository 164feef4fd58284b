import type {Ask} from '../../../pod/protocol.ts';
import type {App} from '../app.ts';

/** Shows a question of this screen as a card. Resolves with the user's choice. */
export async function askHere(app: App, question: Omit<Ask, 'id'>): Promise<string> {
	const {promise, resolve} = Promise.withResolvers<string>();
	// Ids of a pod never begin with this prefix.
	const id = `screen-${crypto.randomUUID()}`;
	waitingOf(app).set(id, resolve);
	app.dispatch({type: 'open own ask', ask: {...question, id}});
	app.changed('now');
	const choice = await promise;
	app.dispatch({type: 'close own ask', id});
	app.changed('now');
	return choice;
}

/** Resolves a question of this screen with the user's choice. Returns false if this screen did not ask the question. */
export function settleAsk(app: App, id: string, choice: string): boolean {
	const waiting = waitingOf(app);
	waiting.get(id)?.(choice);
	return waiting.delete(id);
}

type Waiting = Map<string, (choice: string) => void>;

/**
The functions that receive the answers to the questions of each screen. The key of a function is the id of its question.
*/
const waiters = new WeakMap<App, Waiting>();

function waitingOf(app: App): Waiting {
	const known = waiters.get(app) ?? new Map<string, (choice: string) => void>();
	waiters.set(app, known);
	return known;
}
