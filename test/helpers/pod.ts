import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {defaultLimits} from '../../src/pod/config/limits.ts';
import {openPod, type PodOptions} from '../../src/pod/open.ts';
import type {Event, Item, PodClient, Segment, Status} from '../../src/pod/protocol.ts';
import {createSession} from '../../src/pod/disk/log/open.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {historyFile} from '../../src/pod/disk/paths.ts';
import type {Session} from '../../src/pod/disk/log/log.ts';
import {systemClock, type Clock, type Model, type Tool} from '../../src/worker/index.ts';
import type {TempProject} from './temp-project.ts';

/** A pod on a real session of a temporary project, with its events. */
export type TestPod = {
	readonly pod: PodClient;
	readonly session: Session;
	/** The path of the session's history.json. */
	readonly file: string;
	readonly events: Event[];
	readonly items: () => Item[];
	/** The status without the figures of the context. */
	readonly status: () => Status;
	readonly context: () => Status['context'];
	readonly run: (text: string | readonly Segment[]) => ReturnType<PodClient['send']>;
	/** Resolves when the condition is true, now or after an event. */
	readonly until: (condition: (events: readonly Event[]) => boolean) => Promise<void>;
	/** Resolves when nothing runs. */
	readonly rest: () => Promise<void>;
};

export type TestPodOptions = {
	readonly model: Model;
	readonly session?: Session;
	readonly clock?: Clock;
	/** Tools that the pod offers besides its own. */
	readonly moreTools?: readonly Tool[];
	/** Emits every delta at once, so that a test can act at each of them. */
	readonly isUnpaced?: boolean;
} & Partial<Pick<PodOptions['model'], 'facts' | 'describe' | 'settings'>> &
	Partial<
		Pick<
			PodOptions,
			| 'hook'
			| 'compactHook'
			| 'toolHooks'
			| 'limits'
			| 'attended'
			| 'scope'
			| 'env'
			| 'approval'
			| 'untrusted'
			| 'features'
			| 'web'
			| 'spendingDir'
			| 'diagnostics'
			| 'confine'
			| 'models'
			| 'mode'
			| 'askedDirs'
			| 'isExact'
			| 'signKey'
		>
	>;

/** With these rules no tool needs approval. */
export const allowed: Pick<TestPodOptions, 'approval'> = {approval: {mode: 'auto', rules: {user: [], project: []}}};

export async function testPod(
	project: TempProject,
	{model, session: given, facts, describe, settings, isUnpaced = false, moreTools: tools, ...options}: TestPodOptions,
): Promise<TestPod> {
	const clock = options.clock ?? systemClock();
	const session = given ?? createSession({root: stateOf(project), cwd: (options.scope ?? project.scope).pwd}, clock);
	const pod = openPod({
		session: isUnpaced ? {...session, stream: undefined} : session,
		scope: project.scope,
		limits: defaultLimits,
		env: {HOME: join(project.dir, '..', 'home')},
		attended: true,
		...(tools !== undefined && {features: [() => ({name: 'more', tools})]}),
		...options,
		clock,
		model: {
			name: model.name,
			load: async () => model,
			...(facts && {facts}),
			...(describe && {describe}),
			...(settings && {settings}),
		},
	});
	onTestFinished(async () => void (await pod.send({method: 'shutdown'})));
	const events: Event[] = [];
	const waiting = new Set<() => void>();
	pod.subscribe(event => {
		events.push(event);
		for (const look of waiting) look();
	});
	const until: TestPod['until'] = async condition =>
		new Promise(resolve => {
			const look = () => {
				if (!condition(events)) return;
				waiting.delete(look);
				resolve();
			};
			waiting.add(look);
			look();
		});
	const whole = () => events.findLast(event => event.type === 'status' || event.type === 'snapshot')!.status;
	const status = (): Status => {
		const {context: _, ...rest} = whole();
		return rest;
	};
	return {
		pod,
		session,
		file: historyFile(session.dir),
		events,
		items: () =>
			events
				.slice(events.findLastIndex(event => event.type === 'snapshot'))
				.flatMap(event =>
					event.type === 'snapshot' ? event.items : event.type === 'item' ? [event.item] : [],
				),
		status,
		context: () => whole().context,
		run: async text =>
			pod.send({method: 'run', segments: typeof text === 'string' ? [{type: 'text', text}] : [...text]}),
		until,
		rest: async () => until(() => status().kind !== 'running'),
	};
}

/** Opens the session of an earlier pod again, as another process would. */
export async function reopened({session}: TestPod): Promise<Session> {
	const opened = await openSession(session.dir, systemClock());
	if (!opened.ok) throw new Error(opened.sentence);
	return opened.session;
}

function stateOf(project: TempProject): string {
	return join(project.dir, '..', 'state');
}
