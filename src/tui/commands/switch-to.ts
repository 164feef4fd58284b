import type {Segment} from '../../pod/protocol.ts';
import {mayLeave, update, type App, type Destination} from '../state/app.ts';
import {statusOf} from '../state/selectors.ts';
import {toSegments} from '../composer/editor/segments.ts';
import {giveUpHold, takeHeldText} from '../hold/hold-keys.ts';

/**
Leaves this session for another one, once that is ready, with the draft behind `words`. What runs or waits is not left
behind: resolves with a sentence then.
*/
export async function switchTo(app: App, to: Destination, words: readonly Segment[] = []): Promise<string | undefined> {
	const {onSwitch} = app.options;
	if (onSwitch === undefined) return 'This screen shows one session only.';
	await app.client.promise;
	if (statusOf(app.state).kind === 'running')
		return 'A run is under way: Esc stops it, Ctrl+C cancels it, then you can go.';
	if (app.state.queue.length > 0)
		return 'Messages are waiting: send them, or take them back with ↑ on an empty draft, then you can go.';
	if (!(await mayLeave(app))) return 'Background commands are still running.';
	const switched = await onSwitch(to);
	if (!switched.ok) return switched.sentence;
	const typed = to.kind === 'pick' ? takeHeldText(app) : '';
	giveUpHold(app);
	if (words.length > 0) update(app, {type: 'returned', segments: words});
	const draft = toSegments(app.state.composer.editor.draft);
	update(app, {type: 'accepted'});
	update(app, {type: 'clear'});
	switched.leave(draft, typed);
	return undefined;
}
