import type {Method, QueueMessage, Receipt} from '../../../pod/protocol.ts';
import {holdKeys} from '../hold-keys.ts';
import {send, showAlert, type App} from '../app.ts';
import {saveDraftNow} from '../drafts/draft-autosave.ts';

/**
Takes messages from the pod's queue into the composer. Keys wait meanwhile. Before the pod forgets a message, the draft
on disk contains it, so a crash at any moment leaves it in exactly one place.
*/
export async function takeBackQueued(app: App, ids?: readonly string[]): Promise<void> {
	await takeWith(app, {method: 'take_queued', ...(ids && {messages: [...ids]})});
}

/** Cancels what runs, and takes all queued messages. */
export async function cancelAndTake(app: App): Promise<void> {
	await takeWith(app, {method: 'cancel', take: true});
}

async function takeWith(app: App, method: Method): Promise<void> {
	const receipt = await send(app, method);
	if (receipt.accepted && receipt.returned !== undefined)
		await holdKeys(app, async () => keepReturned(app, receipt.returned ?? []).then(() => true));
}

/**
Moves messages into the composer that the pod has returned to this screen. When it resolves, the draft on disk has the
id of the next message. So the text is found in one place, even if it is sent again at once.
*/
export async function keepReturned(app: App, messages: readonly QueueMessage[]): Promise<void> {
	if (messages.length === 0) return;
	app.dispatch({type: 'messages taken', messages});
	await saveDraftNow(app);
	const receipts = await Promise.all(messages.map(async ({id}) => release(app, id)));
	const isOurs = (index: number) => {
		const receipt = receipts[index];
		return receipt?.accepted === true || (receipt?.code === 'closed' && !app.state.lifecycle.quitting);
	};
	const failed = receipts.find(receipt => !receipt.accepted && receipt.code === 'io');
	if (failed?.accepted === false) showAlert(app, {level: 'error', text: failed.sentence});
	app.dispatch({type: 'messages returned', messages, kept: messages.filter((_, index) => isOurs(index))});
	app.changed('now');
	await saveDraftNow(app);
}

/** If the connection was lost, the pod that took over knows whether its queue still contains the message. */
async function release(app: App, message: string): Promise<Receipt> {
	const method: Method = {method: 'release_queued', message};
	const receipt = await send(app, method);
	const isUnknown = !receipt.accepted && receipt.code === 'closed' && !app.state.lifecycle.quitting;
	return isUnknown ? send(app, method) : receipt;
}
