import {callableTools} from '../core/offered-tools.ts';
import type {PodParts} from '../core/pod-parts.ts';
import type {Feature} from '../core/feature.ts';
import {workerLimits} from '../core/requests.ts';
import {forkPoint} from '../family/side-questions/fork-point.ts';
import type {SideQuestionLog} from '../family/side-questions/side-question-log.ts';
import type {SideQuestions, SideQuestionsOptions} from '../family/side-questions/side-questions.ts';
import {sideQuestionTexts} from '../family/side-questions/texts.ts';
import {messageOf} from '../ground/values/is-record.ts';
import {commitNotifications} from '../run/turn/recovery.ts';

/** The side questions of a session. The first side question loads their modules. */
export function sideQuestionsFeature(pod: PodParts): Feature {
	const {clock, session: stored} = pod.options;
	const {history, hub, conversations, warn} = pod.session;
	const logs = new Set<SideQuestionLog>();
	const stopping = new AbortController();
	let loaded: Promise<SideQuestions> | undefined;
	// The user may ask a side question before the first message. At that time, the session has no history file yet.
	const unobserve = history.observe(() => {
		for (const log of logs) log.flush().catch((error: unknown) => warn(messageOf(error)));
	});
	const load = async () => {
		const [{createSideQuestions}, {createSideQuestionLog}] = await Promise.all([
			import('../family/side-questions/side-questions.ts'),
			import('../family/side-questions/side-question-log.ts'),
		]);
		const record = (id: string, to: string | undefined) => {
			conversations.own(id);
			const log = createSideQuestionLog(stored, {id, to}, clock, warn);
			logs.add(log);
			return log;
		};
		return createSideQuestions({
			clock,
			attach: async message =>
				hub.status().kind === 'running'
					? pod.requests.steering.notify(message, false)
					: commitNotifications(history, [message]),
			start: createStart(pod, record, stopping.signal),
			async keep(before, own) {
				const {keepStored} = await import('../family/side-questions/keep.ts');
				return keepStored(stored, {before, own}, clock);
			},
		});
	};
	return {
		name: 'side_questions',
		queries: {
			async btw(step) {
				loaded ??= load();
				return (await loaded).step(step);
			},
		},
		async stop() {
			stopping.abort();
			await (await loaded)?.close();
			unobserve();
			await Promise.all([...logs].map(async log => log.close()));
		},
	};
}

/**
Creates the step that resolves a question as a message of the session, and starts its answer. `record` creates the
record of a question. `to` is the id of the last item of the session that the question sees.
*/
function createStart(
	pod: PodParts,
	record: (id: string, to: string | undefined) => SideQuestionLog,
	stopping: AbortSignal,
): SideQuestionsOptions['start'] {
	const {clock, limits} = pod.options;
	const {history, hub, meter, model, media} = pod.session;
	return async question => {
		if (hub.status().step === 'compacting') return {sentence: sideQuestionTexts.compacting};
		const {startSideQuestion} = await import('../family/side-questions/side-question.ts');
		const loaded = await model.get().load();
		const resolved = await pod.requests.resolve([{type: 'text', text: question}], stopping);
		if (!resolved.ok) return {sentence: resolved.sentence};
		for (const alert of resolved.alerts) hub.alert(alert);
		const setup = await pod.requests.setup();
		const isPartial = hub.status().kind === 'running';
		const before = history.items.slice(0, forkPoint(history.items, !isPartial));
		const asked = startSideQuestion({
			question,
			before,
			log: record(clock.id(), before.at(-1)?.id),
			messages: [resolved.user, ...resolved.attachments],
			clock,
			model: loaded,
			setup,
			tools: () => callableTools(pod),
			limits: workerLimits(limits),
			readMedia: media.read,
			answered: pod.requests.answered,
			// The requests of the question cost money, whether the user keeps the question or not.
			onEnd: items => meter.addBeside(items),
			onUnsaved: text => hub.alert({level: 'error', text}),
		});
		await asked.begun;
		return {asked, isPartial};
	};
}
