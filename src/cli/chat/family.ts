import {join} from 'node:path';
import type {OpenPod} from '../../pod/index.ts';
import type {PodClient, Receipt} from '../../pod/protocol.ts';
import type {Destination} from '../../screen/control/app.ts';
import type {SessionScreen} from './session-screen.ts';
import {familyTexts} from './texts.ts';

/** A step to another session of the same family: from a parent to a child, to a sibling, or back. */
type FamilyStep = Extract<Destination, {readonly kind: 'child' | 'next child' | 'parent'}>;

export function isFamilyStep(to: Destination): to is FamilyStep {
	return to.kind === 'child' || to.kind === 'next child' || to.kind === 'parent';
}

type FamilyScreen =
	| {readonly ok: true; readonly screen: SessionScreen}
	| {readonly ok: false; readonly sentence: string};

/** Opens the screen of another session of the family. The pods of all of them stay open. */
export async function familyScreen(to: FamilyStep, {plan}: SessionScreen, open: OpenPod): Promise<FamilyScreen> {
	const parent = open.parent ?? open;
	const shared = {plan, prompt: '', draft: [], warnings: []};
	if (to.kind === 'parent')
		return open.parent === undefined
			? {ok: false, sentence: familyTexts.noParent}
			: {ok: true, screen: {...shared, open: parent}};
	const id = to.kind === 'child' ? to.id : nextChild(parent.pod, open.session.id);
	if (id === undefined) return {ok: false, sentence: familyTexts.noChildren};
	if (id === open.session.id) return {ok: false, sentence: familyTexts.onlyChild};
	const opened = await parent.pod.child(id);
	if (!opened.ok) return opened;
	return {ok: true, screen: {...shared, open: childOpen(parent, id, opened.pod)}};
}

/** Leaves the session for another one of its family. A parent stays open, and a child goes on working. */
export async function leaveForFamily({release}: OpenPod): Promise<void> {
	await release?.();
}

/** Returns the child after the current one, in the order of their starts. */
function nextChild(parent: PodClient, current: string): string | undefined {
	const ids: string[] = [];
	parent.subscribe(event => {
		if (event.type !== 'snapshot') return;
		for (const item of event.items) if (item.type === 'child_started') ids.push(item.child);
	})();
	return ids[(ids.indexOf(current) + 1) % Math.max(1, ids.length)];
}

/** Quitting on the screen of a child quits the whole session. */
function childOpen(parent: OpenPod, id: string, child: PodClient): OpenPod {
	const pod: PodClient = {
		...child,
		async send(method): Promise<Receipt> {
			const isForParent = method.method === 'shutdown' || method.method === 'leave';
			return isForParent ? parent.pod.send(method) : child.send(method);
		},
	};
	return {
		pod,
		session: {id, dir: join(parent.session.dir, 'children', id)},
		listen: async () => undefined,
		parent,
		release: async () => void (await child.send({method: 'shutdown'})),
		isAttached: parent.isAttached,
	};
}
