import type {Segment} from '../../../pod/protocol.ts';
import {mayLeave, update, type App, type Destination} from '../app.ts';
import {queueOf, statusOf} from '../../model/selectors.ts';
import {toSegments} from '../../editor/segments.ts';
import {giveUpHold, takeHeldText} from '../hold-keys.ts';
import {switchRefusals} from '../../model/commands/texts.ts';

/**
Switches to another session as soon as that session is ready. Its draft then begins with `words`. If a turn is running
or messages are queued, does not switch and resolves with a sentence.
*/
export async function switchTo(app: App, to: Destination, words: readonly Segment[] = []): Promise<string | undefined> {
	const {onSwitch} = app.options;
	if (onSwitch === undefined) return switchRefusals.single;
	await app.client.promise;
	if (isFamily(to)) return switchInFamily(app, onSwitch, to);
	if (statusOf(app.state).kind === 'running') return switchRefusals.running;
	if (queueOf(app.state).length > 0) return switchRefusals.queued;
	if (!(await mayLeave(app))) return switchRefusals.background;
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

/**
Tells whether the destination is in the same family of parent and child sessions. Such sessions run at the same time,
and each has its own draft.
*/
function isFamily({kind}: Destination): boolean {
	return kind === 'child' || kind === 'next child' || kind === 'parent';
}

async function switchInFamily(
	app: App,
	onSwitch: NonNullable<App['options']['onSwitch']>,
	to: Destination,
): Promise<string | undefined> {
	const switched = await onSwitch(to);
	if (!switched.ok) return switched.sentence;
	giveUpHold(app);
	switched.leave([], '');
	return undefined;
}
