import type {App} from './app.ts';
import {resourceFor} from './runtime.ts';
import type {VisibleRow} from '../rows/viewport/visible-rows.ts';

/**
Loads the conversations of the compactions that a frame shows in the detail view. Each is loaded once, after the frame.
*/
export function loadShownConversations(app: App, rows: readonly VisibleRow[]): void {
	const {store} = app.state.transcript;
	const {quitting} = app.state.lifecycle;
	if (store === undefined || quitting) return;
	const {asked} = runtimeOf(app);
	for (const {block} of rows) {
		if (block.kind !== 'compaction' || block.item.conversation === undefined || asked.has(block.id)) continue;
		if (!store.isDetailed(block.id) || store.conversations.get(block.id) !== undefined) continue;
		asked.add(block.id);
		void load(app, block.id).finally(() => asked.delete(block.id));
	}
}

/** `asked` has the ids of the compactions whose conversation the pod is asked for. */
const runtimeOf = resourceFor((): {readonly asked: Set<string>} => ({asked: new Set()}));

async function load(app: App, id: string): Promise<void> {
	const client = await app.client.promise;
	// A pod that has ended reports that by itself.
	const stored = await client.conversation(id).catch(() => undefined);
	if (stored === undefined) return;
	app.state.transcript.store?.conversations.set(id, stored);
	app.dispatch({type: 'transcript changed'});
	app.changed('soon');
}
