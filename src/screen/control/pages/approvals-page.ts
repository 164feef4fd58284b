import type {Key} from '../../terminal/input/input.ts';
import {approvalsPage, foundApprovals, type ApprovalsPage} from '../../model/pages/approvals-state.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {roomOf} from '../../view/pages/approvals-rows.ts';
import type {App} from '../app.ts';
import {showInTranscript} from './context-page.ts';

/** Opens the page with everything that decided about the calls of the session. */
export async function openApprovals(app: App): Promise<undefined> {
	const client = await app.client.promise;
	app.dispatch({type: 'open page', page: approvalsPage(await client.approvals(), Date.now())});
}

/** Handles a key on the page. Keys move in the list, and Enter shows the highlighted call in the transcript. */
export function pressOnApprovals(app: App, page: ApprovalsPage, key: Key, {height}: PageSize): boolean {
	const approvals = foundApprovals(page);
	const {keymap} = app.state.setup;
	const [count, room] = [approvals.length, roomOf(height)];
	const moved = moveInList(page.list, key, {keymap, count, room});
	const chosen = approvals[withinList(page.list, count, room).at];
	if (moved !== undefined) app.dispatch({type: 'choose on page', list: moved});
	else if (chosen !== undefined && keymap.action(key) === 'submit') showInTranscript(app, chosen.item);
	else return false;
	return true;
}

/** Lists the approvals again, after the history has changed. */
export function listApprovals(app: App): void {
	void (async () => {
		const client = await app.client.promise;
		// If the connection to the pod was lost, other code reports it.
		const approvals = await client.approvals().catch(() => undefined);
		if (approvals === undefined) return;
		app.dispatch({type: 'approvals listed', approvals, asOf: Date.now()});
		app.changed('now');
	})();
}
