import {join} from 'node:path';
import {cutText, stamp, type Item} from '../../../worker/index.ts';
import {forkPoint} from '../../family/side-questions/fork-point.ts';
import {createChildren, type Children, type EndedChild} from '../../family/children/children.ts';
import type {ChildSpec} from '../../family/children/child-spec.ts';
import type {OpenedPod} from '../../family/children/running-children.ts';
import {lostChildren} from '../../family/children/lost-children.ts';
import {childTexts} from '../../family/children/texts.ts';
import type {Method, PodClient, Receipt} from '../../protocol.ts';
import {contains} from '../../ground/files/contains.ts';
import {createScope, type Scope} from '../../scope/scope.ts';
import type {Session} from '../../disk/log/session.ts';
import {asksOfChild} from '../../permissions/approval/asks.ts';
import {accepted} from '../../run/status/job.ts';
import type {ChildRequest} from '../../family/children/pod-tool.ts';
import {messageOf} from '../../ground/values/message-of.ts';
import type {WorktreeGit} from '../../family/worktree/worktree.ts';
import type {ChildParts} from './child-parts.ts';
import {createWorktrees, type Worktrees} from './child-worktree.ts';
import type {PodOptions} from './options.ts';
import type {RequestParts} from './requests.ts';
import type {SessionParts} from './session.ts';
import type {ToolParts} from './tools.ts';

/** What children need of their parent when they open, long after its assembly. */
type Family = {
	readonly tools: Pick<ToolParts, 'approvals' | 'mcp' | 'answered'>;
	readonly budget: RequestParts['budget'];
	readonly send: (method: Method) => Promise<Receipt>;
};

export function assembleChildren(
	options: PodOptions,
	session: SessionParts,
	openPod: (options: PodOptions) => PodClient,
	family: () => Family,
): ChildParts {
	const {clock} = options;
	const {history, hub, meter} = session;
	const worktrees = createWorktrees({scope: session.scope, env: options.env, ask: session.user.ask});
	const children = createChildren({
		parent: options.session,
		history,
		clock,
		prices: () => meter.prices(),
		async openPod(spec, stored) {
			// What the child requested before would count twice.
			await session.conversations.counted;
			return openChild(options, session, family(), {spec, stored, openPod, worktrees});
		},
		onChange: running => hub.setStatus({children: running.length === 0 ? undefined : [...running]}),
		onRequest: items => meter.addBeside(items),
	});
	const start = async (spec: ChildSpec) => history.append([stamp(clock, {type: 'child_started', ...spec})]);
	const run = createRun(children, worktrees);
	const background = createBackground(session, children, run, async method => family().send(method));
	return {
		...children,
		async prepare(request, call, signal) {
			const known = children.unfinished().find(spec => spec.call === call);
			const found = known ?? (await specFor(options, session, {request, call, worktrees, signal}));
			if ('sentence' in found) return {ok: false, sentence: found.sentence};
			const spec = found;
			const copied = copiedItems(spec, history.items);
			if (known === undefined) await start(spec);
			return {
				ok: true,
				spec,
				run: async stop => run(spec, copied, stop),
				begin: wakes => background(spec, copied, wakes),
			};
		},
		async lost({isResumed}) {
			const working = new Set(children.running().map(({id}) => id));
			const isLost = ({child, background}: ChildSpec) =>
				!working.has(child) && (!isResumed || background === true);
			const unfinished = children.unfinished().filter(isLost);
			return lostChildren(history.items, {parent: options.session, clock, unfinished});
		},
		methods: createMethods(session, children, async task => {
			const spec = userSpec(task, session, clock.id());
			await start(spec);
			background(spec, [], false);
		}),
	};
}

/** A fork begins with what the model saw before the answer that called for it. */
function copiedItems({context}: ChildSpec, items: readonly Item[]): readonly Item[] {
	return context === 'fork' ? items.slice(0, forkPoint(items, false)) : [];
}

function createMethods(
	{hub}: SessionParts,
	children: Children,
	start: (task: string) => Promise<void>,
): ChildParts['methods'] {
	const known = (id: string, isThere: boolean): Receipt =>
		isThere ? accepted : {accepted: false, code: 'no_such_child', sentence: childTexts.notFound(id)};
	return {
		async startChild(task) {
			if (task.trim() === '') return {accepted: false, code: 'empty', sentence: childTexts.noTask};
			if (hub.status().kind === 'paused') return {accepted: false, code: 'busy', sentence: childTexts.paused};
			await start(task.trim());
			return accepted;
		},
		stopChild: async id => known(id, await children.stop(id)),
		wakeChild: (id, wakes) => known(id, children.setWakes(id, wakes)),
	};
}

type Run = (spec: ChildSpec, copied: readonly Item[], signal: AbortSignal) => Promise<EndedChild>;

/** Returns a function that lets a child work, and then lets the user decide about its worktree. */
function createRun(children: Children, worktrees: Worktrees): Run {
	return async (spec, copied, signal) => {
		const end = await children.run(spec, copied, signal);
		if (end.item === undefined || spec.worktree === undefined) return end;
		const note = await worktrees.finish(spec, signal);
		// The question is asked again when the turn continues.
		if (signal.aborted && signal.reason !== 'cancel') return {outcome: 'interrupted', text: end.text};
		return note === undefined ? end : {...end, note};
	};
}

type Begin = (spec: ChildSpec, copied: readonly Item[], wakes: boolean) => void;

/** Returns a function that lets a child work in the background, and tells the model about its end. */
function createBackground(
	{history, hub}: SessionParts,
	children: Children,
	run: Run,
	send: (method: Method) => Promise<Receipt>,
): Begin {
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

/** Checks a request. A child may do less than its parent, and never more. */
async function specFor(
	options: PodOptions,
	{scope, model}: SessionParts,
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

function userSpec(task: string, {scope, model}: SessionParts, child: string): ChildSpec {
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

/** Returns the part of the parent's scope that a child gets, or `undefined` if there is no such folder in it. */
async function childScope(
	{pwd, writable, home}: Scope,
	{path, writable: wanted = true}: NonNullable<ChildRequest['scope']> = {},
): Promise<ChildSpec['scope'] | undefined> {
	if (path === undefined) return {pwd, writable: writable && wanted};
	const created = await createScope({pwd: join(pwd, path), home});
	if (!created.ok || !contains(pwd, created.scope.pwd)) return undefined;
	return {pwd: created.scope.pwd, writable: writable && wanted};
}

type Opening = {
	readonly spec: ChildSpec;
	readonly stored: Session;
	readonly openPod: (options: PodOptions) => PodClient;
	readonly worktrees: Worktrees;
};

async function openChild(
	options: PodOptions,
	{scope, asks, hub, meter, model}: SessionParts,
	{tools, budget}: Family,
	{spec, stored, openPod, worktrees}: Opening,
): Promise<OpenedPod> {
	const {child: id, title} = spec;
	const own = await scopeOfChild(scope, spec, worktrees);
	if (own === undefined) return {ok: false, sentence: childTexts.noFolder(spec.scope.pwd)};
	const opened = spec.model === model.get().name ? undefined : await options.models?.open(spec.model, undefined);
	if (opened?.ok === false) return {ok: false, sentence: childTexts.noModel(opened.recorded ?? opened.sentence)};
	const mode = () => hub.status().approval ?? 'ask';
	const pod = openPod({
		...withoutParentOnly(options),
		session: stored,
		scope: {...options.scope, pwd: own.pwd, writable: own.writable, readRoots: scope.readRoots},
		model: opened?.model ?? model.get(),
		isFolderChosen: true,
		approval: {...options.approval, mode: mode(), rules: tools.approvals.rules()},
		child: {
			parent: options.session.id,
			title,
			asks: asksOfChild(asks, {id, title}),
			budget,
			spent: items => meter.addBeside(items),
			...(own.pwd === scope.pwd && {answered: tools.answered}),
			mcp: tools.mcp,
			tools: spec.tools,
			git: own.git,
			parentMode: mode,
		},
	});
	return {ok: true, pod};
}

/**
Returns what a stored child may touch. A child whose worktree does not exist any more can still be read, and changes
nothing.
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

/** Leaves out what only the parent handles: its questions about trust, and the file of daily spending. */
function withoutParentOnly({untrusted: _untrusted, spendingDir: _spendingDir, ...shared}: PodOptions): PodOptions {
	return shared;
}

function relativePath(from: string, to: string): string | undefined {
	if (from === to) return undefined;
	return contains(from, to) ? to.slice(from.length + 1) : '..';
}
