import type {Item} from '../../worker/index.ts';
import type {Btw, BtwOptions} from '../btw/btw.ts';
import type {AsideCosts} from '../btw/costs-file.ts';
import {forkPoint} from '../btw/fork-point.ts';
import {btwTexts} from '../btw/texts.ts';
import {pathExists} from '../files/path-exists.ts';
import {asidesFile} from '../session/paths.ts';
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
	let costs: AsideCosts | undefined;
	setImmediate(() => void countEarlier(options, session));
	const attach: BtwOptions['attach'] = async message =>
		hub.status().kind === 'running'
			? requests.steering.notify(message, false)
			: commitNotifications(history, [message]);
	const load = async () => {
		const [{createBtw}, {createAsideCosts}] = await Promise.all([
			import('../btw/btw.ts'),
			import('../btw/costs-file.ts'),
		]);
		costs = createAsideCosts(options.session);
		return createBtw({
			clock,
			attach,
			start: createStart({options, session, tools, requests, costs}),
			keep: keepIn(options),
		});
	};
	return {
		async step(step) {
			loaded ??= load();
			return (await loaded).step(step);
		},
		async close() {
			await (await loaded)?.close();
			await costs?.close();
		},
	};
}

/** Counts the side questions of earlier processes. */
async function countEarlier({session}: PodOptions, {meter}: SessionParts): Promise<void> {
	if (!(await pathExists(asidesFile(session.dir)))) return;
	const {readAsideCosts} = await import('../btw/costs-file.ts');
	meter.addUnfinished(await readAsideCosts(session.dir), true);
}

type StartParts = {
	readonly options: PodOptions;
	readonly session: SessionParts;
	readonly tools: ToolParts;
	readonly requests: RequestParts;
	readonly costs: AsideCosts;
};

/** Creates the step that resolves a question as a message of the session, and starts its answer. */
function createStart({options, session, tools, requests, costs}: StartParts): BtwOptions['start'] {
	const {clock, limits} = options;
	const {history, hub, meter, model, media, closing} = session;
	const {resolve, setup} = requests;
	// Its requests are paid for, whether it is kept or not.
	const count = async (items: readonly Item[]) => {
		meter.addUnfinished(items);
		if (!(await costs.add(items))) hub.alert({level: 'warn', text: btwTexts.costNotSaved});
	};
	return async question => {
		if (hub.status().step === 'compacting') return {sentence: btwTexts.compacting};
		const [{startAside}, {createAsideFile, noAsideFile}] = await Promise.all([
			import('../btw/aside.ts'),
			import('../btw/aside-file.ts'),
		]);
		const loaded = await model.get().load();
		const resolved = await resolve([{type: 'text', text: question}], closing.signal);
		if (!resolved.ok) return {sentence: resolved.sentence};
		for (const alert of resolved.alerts) hub.alert(alert);
		const next = await setup();
		const isPartial = hub.status().kind === 'running';
		const isSaved = history.items.length > 0 && options.session.isReadOnly !== true;
		const warn = (text: string) => hub.alert({level: 'warn', text});
		const aside = startAside({
			file: isSaved ? createAsideFile(options.session, clock, warn) : noAsideFile,
			question,
			before: history.items.slice(0, forkPoint(history.items, !isPartial)),
			messages: [resolved.user, ...resolved.attachments],
			clock,
			model: loaded,
			setup: next,
			tools: tools.offered,
			limits: workerLimits(limits),
			readMedia: media.read,
			onEnd: items => void count(items),
		});
		await aside.begun;
		return {aside, isPartial};
	};
}

function keepIn({session, clock}: PodOptions): BtwOptions['keep'] {
	return async (before, own) => {
		const {keepStored} = await import('../btw/keep.ts');
		return keepStored(session, {before, own}, clock);
	};
}
