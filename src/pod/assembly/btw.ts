import type {Btw, BtwOptions} from '../btw/btw.ts';
import {forkPoint} from '../btw/fork-point.ts';
import {btwTexts} from '../btw/texts.ts';
import {commitNotifications} from '../turn/notification.ts';
import type {PodOptions} from './options.ts';
import {workerLimits, type RequestParts} from './requests.ts';
import type {SessionParts} from './session.ts';
import type {ToolParts} from './tools.ts';

/** Creates the side questions of a pod. Their modules are loaded at the first one. */
export function assembleBtw(options: PodOptions, session: SessionParts, tools: ToolParts, requests: RequestParts): Btw {
	const {clock} = options;
	const {history, hub} = session;
	let loaded: Promise<Btw> | undefined;
	const attach: BtwOptions['attach'] = async message =>
		hub.status().kind === 'running'
			? requests.steering.notify(message, false)
			: commitNotifications(history, [message]);
	const load = async () => {
		const {createBtw} = await import('../btw/btw.ts');
		return createBtw({clock, attach, start: createStart(options, session, tools, requests), keep: keepIn(options)});
	};
	return {
		async step(step) {
			loaded ??= load();
			return (await loaded).step(step);
		},
		async close() {
			await (await loaded)?.close();
		},
	};
}

/** Creates the step that resolves a question as a message of the session, and starts its answer. */
function createStart(
	{clock, limits}: PodOptions,
	{history, hub, meter, model, media, closing}: SessionParts,
	{offered}: ToolParts,
	{resolve, setup}: RequestParts,
): BtwOptions['start'] {
	return async question => {
		if (hub.status().step === 'compacting') return {sentence: btwTexts.compacting};
		const {startAside} = await import('../btw/aside.ts');
		const loaded = await model.get().load();
		const resolved = await resolve([{type: 'text', text: question}], closing.signal);
		if (!resolved.ok) return {sentence: resolved.sentence};
		for (const alert of resolved.alerts) hub.alert(alert);
		const next = await setup();
		const isPartial = hub.status().kind === 'running';
		const aside = startAside({
			question,
			before: history.items.slice(0, forkPoint(history.items, !isPartial)),
			messages: [resolved.user, ...resolved.attachments],
			clock,
			model: loaded,
			setup: next,
			tools: offered,
			limits: workerLimits(limits),
			readMedia: media.read,
			// Its requests are paid for, whether it is kept or not.
			onEnd: items => meter.addUnfinished(items),
		});
		return {aside, isPartial};
	};
}

function keepIn({session, clock}: PodOptions): BtwOptions['keep'] {
	return async (before, own) => {
		const {keepStored} = await import('../btw/keep.ts');
		return keepStored(session, {before, own}, clock);
	};
}
