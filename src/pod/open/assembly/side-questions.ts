import type {SideQuestions, SideQuestionsOptions} from '../../family/side-questions/side-questions.ts';
import type {SideQuestionLog} from '../../family/side-questions/side-question-log.ts';
import {forkPoint} from '../../family/side-questions/fork-point.ts';
import {sideQuestionTexts} from '../../family/side-questions/texts.ts';
import {commitNotifications} from '../../run/turn/notification.ts';
import type {PodOptions} from './options.ts';
import {workerLimits, type RequestParts} from './requests.ts';
import type {SessionParts} from './session.ts';
import type {ToolParts} from './tools.ts';
import {messageOf} from '../../ground/values/message-of.ts';

/** Creates the side questions of a pod. Their modules are loaded at the first one. */
export function assembleSideQuestions(
	options: PodOptions,
	session: SessionParts,
	tools: ToolParts,
	requests: RequestParts,
): SideQuestions {
	const {clock} = options;
	const {history, hub} = session;
	let loaded: Promise<SideQuestions> | undefined;
	const logs = new Set<SideQuestionLog>();
	const warn = (text: string) => hub.alert({level: 'warn', text});
	// A side question may come before the first message, and thus before the history.
	const stop = history.observe(() => {
		for (const log of logs) log.flush().catch((error: unknown) => warn(messageOf(error)));
	});
	const attach: SideQuestionsOptions['attach'] = async message =>
		hub.status().kind === 'running'
			? requests.steering.notify(message, false)
			: commitNotifications(history, [message]);
	const load = async () => {
		const [{createSideQuestions}, {createSideQuestionLog}] = await Promise.all([
			import('../../family/side-questions/side-questions.ts'),
			import('../../family/side-questions/side-question-log.ts'),
		]);
		const record = (id: string, to: string | undefined) => {
			session.conversations.own(id);
			const log = createSideQuestionLog(options.session, {id, to}, clock, warn);
			logs.add(log);
			return log;
		};
		return createSideQuestions({
			clock,
			attach,
			start: createStart({options, session, tools, requests, record}),
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
			stop();
			await Promise.all([...logs].map(async log => log.close()));
		},
	};
}

type StartParts = {
	readonly options: PodOptions;
	readonly session: SessionParts;
	readonly tools: ToolParts;
	readonly requests: RequestParts;
	/** Creates the record of a question. `to` is the last item of the session that it sees. */
	readonly record: (id: string, to: string | undefined) => SideQuestionLog;
};

/** Creates the step that resolves a question as a message of the session, and starts its answer. */
function createStart({options, session, tools, requests, record}: StartParts): SideQuestionsOptions['start'] {
	const {clock, limits} = options;
	const {history, hub, meter, model, media, closing} = session;
	const {resolve, setup} = requests;
	return async question => {
		if (hub.status().step === 'compacting') return {sentence: sideQuestionTexts.compacting};
		const {startSideQuestion} = await import('../../family/side-questions/side-question.ts');
		const loaded = await model.get().load();
		const resolved = await resolve([{type: 'text', text: question}], closing.signal);
		if (!resolved.ok) return {sentence: resolved.sentence};
		for (const alert of resolved.alerts) hub.alert(alert);
		const next = await setup();
		const isPartial = hub.status().kind === 'running';
		const before = history.items.slice(0, forkPoint(history.items, !isPartial));
		const asked = startSideQuestion({
			question,
			before,
			log: record(clock.id(), before.at(-1)?.id),
			messages: [resolved.user, ...resolved.attachments],
			clock,
			model: loaded,
			setup: next,
			tools: tools.offered,
			limits: workerLimits(limits),
			readMedia: media.read,
			// Its requests are paid for, whether it is kept or not.
			onEnd: items => meter.addBeside(items),
			onUnsaved: text => hub.alert({level: 'error', text}),
		});
		await asked.begun;
		return {asked, isPartial};
	};
}

function keepIn({session, clock}: PodOptions): SideQuestionsOptions['keep'] {
	return async (before, own) => {
		const {keepStored} = await import('../../family/side-questions/keep.ts');
		return keepStored(session, {before, own}, clock);
	};
}
