import {join} from 'node:path';
import {cutText, stamp, type Item} from '../../worker/index.ts';
import {forkPoint} from '../family/side-questions/fork-point.ts';
import {createChildren, type Children, type EndedChild} from '../family/children/children.ts';
import type {ChildSpec} from '../family/children/child-session.ts';
import type {OpenedPod} from '../family/children/running-children.ts';
import {lostChildren} from '../family/children/lost-children.ts';
import {childTexts} from '../family/children/texts.ts';
import type {Receipt} from '../protocol.ts';
import {contains} from '../ground/files/contains.ts';
import {createScope, type Scope} from '../scope/scope.ts';
import type {Session} from '../disk/log/log.ts';
import {asksOfChild} from '../permissions/approval/asks.ts';
import {accepted} from '../run/status/job.ts';
import {nestedPodTool, podTool, type ChildRequest, type PodToolOptions} from '../family/children/pod-tool.ts';
import {createWorktrees, type Worktrees} from '../family/worktree/worktrees.ts';
import {orInternalError} from '../run/controller/methods.ts';
import {messageOf} from '../ground/values/is-record.ts';
import type {WorktreeGit} from '../family/worktree/worktree.ts';
import type {Feature} from '../core/feature.ts';
import type {PodParts} from '../core/pod-parts.ts';
import {runningChild, runningChildren} from './texts.ts';

/** The child sessions of a session. */
export function childrenFeature(pod: PodParts): Feature {
	const {clock, session: parent, env, child} = pod.options;
	const {history, hub, meter, scope, user, conversations} = pod.session;
	const worktrees = createWorktrees({scope, env, ask: user.ask});
	const children = createChildren({
		parent,
		history,
		clock,
		prices: () => meter.prices(),
		async openPod(spec, stored) {
			// Waits until the cost of earlier requests is counted. Otherwise the child's earlier requests would count
			// twice.
			await conversations.counted;
			return openChild(pod, {spec, stored, worktrees});
		},
		onChange: running => hub.setStatus({children: running.length === 0 ? undefined : [...running]}),
		onRequest: items => meter.addBeside(items),
		onOtherModel: pair => pod.requests.answered.noteChild(pair),
	});
	const start = async (spec: ChildSpec) => history.append([stamp(clock, {type: 'child_started', ...spec})]);
	const run = createRun(children, worktrees);
	const background = createBackground(pod, children, run);
	const prepare: PodToolOptions['prepare'] = async (request, call, signal) => {
		const known = children.unfinished().find(spec => spec.call === call);
		const spec = known ?? (await specFor(pod, {request, call, worktrees, signal}));
		if ('sentence' in spec) return {ok: false, sentence: spec.sentence};
		const copied = copiedItems(spec, history.items);
		if (known === undefined) await start(spec);
		return {
			ok: true,
			spec,
			run: async stop => run(spec, copied, stop),
			begin: wakes => background(spec, copied, wakes),
		};
	};
	return {
		name: 'children',
		tools: [child === undefined ? podTool({prepare}) : nestedPodTool()],
		methods: createMethods(pod, children, async task => {
			const spec = userSpec(task, pod.session, clock.id());
			await start(spec);
			background(spec, [], false);
		}),
		queries: {child: async id => children.open(id)},
		setMode: mode => children.setMode(mode),
		running: () => ({
			count: runningChildren,
			lines: children.running().flatMap(each => (each.background === true ? [runningChild(each.title)] : [])),
		}),
		async lost({isResumed}) {
			const working = new Set(children.running().map(({id}) => id));
			const isLost = ({child, background}: ChildSpec) =>
				!working.has(child) && (!isResumed || background === true);
			return lostChildren(history.items, {parent, clock, unfinished: children.unfinished().filter(isLost)});
		},
		stop: async () => children.close(),
	};
}

/**
Returns the items with which a child begins. A fork begins with the items that the model saw before the answer that
called the tool.
*/
function copiedItems({context}: ChildSpec, items: readonly Item[]): readonly Item[] {
	return context === 'fork' ? items.slice(0, forkPoint(items, false)) : [];
}

function createMethods(
	{session: {hub}}: PodParts,
	children: Children,
	start: (task: string) => Promise<void>,
): NonNullable<Feature['methods']> {
	const known = (id: string, isThere: boolean): Receipt =>
		isThere ? accepted : {accepted: false, code: 'no_such_child', sentence: childTexts.notFound(id)};
	async function startNew(task: string): Promise<Receipt> {
		if (task === '') return {accepted: false, code: 'empty', sentence: childTexts.noTask};
		if (hub.status().kind === 'paused') return {accepted: false, code: 'busy', sentence: childTexts.paused};
		await start(task);
		return accepted;
	}
	return {
		start_child: async ({task}) => orInternalError(startNew(task.trim())),
		stop_child: async ({child}) => known(child, await children.stop(child)),
		wake_child: async ({child, wakes}) => known(child, children.setWakes(child, wakes)),
	};
}

type Run = (spec: ChildSpec, copied: readonly Item[], signal: AbortSignal) => Promise<EndedChild>;

/** Returns a function that lets a child work, and then lets the user decide about its worktree. */
function createRun(children: Children, worktrees: Worktrees): Run {
	return async (spec, copied, signal) => {
		const end = await children.run(spec, copied, signal);
		if (end.item === undefined || spec.worktree === undefined) return end;
		const note = await worktrees.finish(spec, signal);
		// The user gets the same question again when the turn continues.
		if (signal.aborted && signal.reason !== 'cancel') return {outcome: 'interrupted', text: end.text};
		return note === undefined ? end : {...end, note};
	};
}

type Begin = (spec: ChildSpec, copied: readonly Item[], wakes: boolean) => void;

/** Returns a function that lets a child work in the background, and tells the model about its end. */
function createBackground({session: {history, hub}, send}: PodParts, children: Children, run: Run): Begin {
	async function work(spec: ChildSpec, copied: readonly Item[]): Promise<void> {
		const end = await run(spec, copied, new AbortController().signal);
		if (end.item === undefined) return;
		await history.append([end.item]);
		await send({method: 'notify', text: noticeOf(spec, end), run: end.wakes === true});
	}
	return (spec, copied, wakes) => {
		const working = work({...spec, background: true}, copied);
		if (wakes) children.setWakes(spec.child, true);
		working.catch((error: unknown) => hub.alert({level: 'error', text: messageOf(error)}));
	};
}

function noticeOf({title}: ChildSpec, {outcome, text, cause, note}: EndedChild): string {
	const failed = cause === undefined ? '' : ` ${cause}`;
	const answer = text === '' ? '' : `\n\n${text}`;
	return `${childTexts.ended(title, outcome)}${failed}${answer}${note === undefined ? '' : `\n\n${note}`}`;
}

type Wanted = {
	readonly request: ChildRequest;
	readonly call: string;
	readonly worktrees: Worktrees;
	readonly signal: AbortSignal;
};
type Refused = {readonly sentence: string};

/** Checks a request and returns the child's facts. A child never has more permissions than its parent. */
async function specFor(
	{options, session: {scope, model}}: PodParts,
	{request, call, worktrees, signal}: Wanted,
): Promise<ChildSpec | Refused> {
	const {task, title, context = 'fresh', tools, background} = request;
	if (context === 'fork' && (tools !== undefined || request.model !== undefined))
		return {sentence: childTexts.forkTools};
	const name = request.model ?? model.get().name;
	const opened = request.model === undefined ? undefined : await options.models?.open(name, undefined);
	if (opened?.ok === false) return {sentence: childTexts.noModel(opened.recorded ?? opened.sentence)};
	const own = await childScope(scope, request.scope);
	if (own === undefined) return {sentence: childTexts.noFolder(request.scope?.path ?? '')};
	const child = options.clock.id();
	const made = request.worktree === true ? await worktrees.make(child, title, signal) : undefined;
	if (made?.ok === false) return {sentence: childTexts.notStarted(made.sentence)};
	return {
		child,
		call,
		title,
		task,
		model: opened?.model.name ?? name,
		context,
		scope: made === undefined ? own : {pwd: made.pwd, writable: own.writable},
		...(made !== undefined && {worktree: made.worktree}),
		...(tools !== undefined && {tools: [...tools]}),
		...(background === true && {background}),
	};
}

function userSpec(task: string, {scope, model}: PodParts['session'], child: string): ChildSpec {
	const {pwd, writable} = scope;
	const [line = ''] = task.split('\n', 1);
	return {
		child,
		title: cutText(line, 60).text,
		task,
		model: model.get().name,
		context: 'fresh',
		scope: {pwd, writable},
		background: true,
	};
}

/**
Returns the part of the parent's scope that a child gets, or `undefined` if the parent's scope has no such folder.
*/
async function childScope(
	{pwd, writable, home}: Scope,
	{path, writable: wanted = true}: NonNullable<ChildRequest['scope']> = {},
): Promise<ChildSpec['scope'] | undefined> {
	if (path === undefined) return {pwd, writable: writable && wanted};
	const created = await createScope({pwd: join(pwd, path), home});
	if (!created.ok || !contains(pwd, created.scope.pwd)) return undefined;
	return {pwd: created.scope.pwd, writable: writable && wanted};
}

type Opening = {readonly spec: ChildSpec; readonly stored: Session; readonly worktrees: Worktrees};

async function openChild(pod: PodParts, {spec, stored, worktrees}: Opening): Promise<OpenedPod> {
	const {options, permissions} = pod;
	const {scope, asks, hub, meter, model} = pod.session;
	const {child: id, title} = spec;
	const own = await scopeOfChild(scope, spec, worktrees);
	if (own === undefined) return {ok: false, sentence: childTexts.noFolder(spec.scope.pwd)};
	const opened = spec.model === model.get().name ? undefined : await options.models?.open(spec.model, undefined);
	if (opened?.ok === false) return {ok: false, sentence: childTexts.noModel(opened.recorded ?? opened.sentence)};
	const mode = () => hub.status().approval ?? 'ask';
	const child = pod.openChild({
		session: stored,
		scope: {...options.scope, pwd: own.pwd, writable: own.writable, readRoots: scope.readRoots},
		model: opened?.model ?? model.get(),
		approval: {...options.approval, mode: mode(), rules: permissions.approvals.rules()},
		child: {
			parent: options.session.id,
			title,
			asks: asksOfChild(asks, {id, title}),
			budget: pod.requests.budget,
			spent: items => meter.addBeside(items),
			...(own.pwd === scope.pwd && {answered: permissions.answered}),
			features: pod.features,
			tools: spec.tools,
			git: own.git,
			parentMode: mode,
		},
	});
	return {ok: true, pod: child};
}

/**
Returns the scope of a stored child. A child whose worktree no longer exists gets a read-only scope, so that the user
can still read its session.
*/
async function scopeOfChild(
	scope: Scope,
	spec: ChildSpec,
	worktrees: Worktrees,
): Promise<(ChildSpec['scope'] & {readonly git?: WorktreeGit | undefined}) | undefined> {
	const {pwd, writable} = spec.scope;
	if (spec.worktree === undefined) return childScope(scope, {path: relativePath(scope.pwd, pwd), writable});
	const found = await worktrees.find(spec);
	return found === undefined
		? {pwd: scope.pwd, writable: false}
		: {pwd: found.pwd, writable: scope.writable && writable, git: found.git};
}

function relativePath(from: string, to: string): string | undefined {
	if (from === to) return undefined;
	return contains(from, to) ? to.slice(from.length + 1) : '..';
}
