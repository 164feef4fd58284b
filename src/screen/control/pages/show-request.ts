import {itemName} from '../../../transcript/item-name.ts';
import type {App} from '../app.ts';

/** Opens the page about a request: the last one, or the one whose id begins with the argument. */
export async function showRequest(app: App, id: string): Promise<string | undefined> {
	const client = await app.client.promise;
	const [{requestPage}, answer] = await Promise.all([import('../../view/pages/request-page.ts'), client.request(id)]);
	if (!answer.ok) return answer.sentence;
	const page = requestPage(answer.request, item => nameIn(app, item));
	app.dispatch({type: 'open page', page});
	return undefined;
}

function nameIn({state}: App, id: string): string | undefined {
	const folded = state.transcript.store?.transcript.folded;
	const index = folded?.byItem.get(id);
	return index === undefined ? undefined : itemName(folded?.blocks[index], id);
}
