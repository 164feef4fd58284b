import type {Tool} from '../../../worker/index.ts';
import {createApprovals, type Approvals} from '../../permissions/approval/approvals.ts';
import type {Background} from '../../tools/processes/background.ts';
import type {PlanMode} from '../../permissions/plan/plan-mode.ts';
import {createMcp, type Mcp} from '../../servers/mcp/mcp.ts';
import type {ApprovalMode, Item, Method, Receipt, Status} from '../../protocol.ts';
import {openTrustStore} from '../../permissions/trust/store.ts';
import {createTrust, type Trust} from '../../permissions/trust/trust.ts';
import {createWorkflows, type Workflows} from '../../references/workflows/workflows.ts';
import type {AnsweredRules} from '../../permissions/approval/judge.ts';
import {nestedPodTool, podTool} from '../../family/children/pod-tool.ts';
import type {Confinement} from '../../permissions/confine/confinement.ts';
import type {ChildParts} from './child-parts.ts';
import {assembleConfinement, confinementOfBash} from './confine.ts';
import type {WebRefReader} from '../../references/submission/file-ref.ts';
import type {PodOptions} from './options.ts';
import {createPodTools} from './pod-tools.ts';
import {assembleWeb} from './web.ts';
import type {SessionParts} from './session.ts';

/** The tools that the model can call, and the approvals that decide about its calls. */
export type ToolParts = {
	readonly approvals: Approvals;
	/** The rules "for this session", which children share. */
	readonly answered: AnsweredRules;
	/** Confines commands. Absent if the user does not want it. */
	readonly confinement: Confinement | undefined;
	readonly workflows: Workflows;
	readonly mcp: Mcp;
	readonly background: Background;
	/** Fetches the web pages that a message names. */
	readonly webRefs: WebRefReader;
	/** Returns all tools of the next request. */
	readonly offered: () => readonly Tool[];
	/** Makes the folders of the skills in these items readable. */
	readonly widenForSkills: (items: readonly Item[]) => Promise<void>;
};

/** Creates the tools and their approvals. `send` notifies the pod that a background command has ended. */
export function assembleTools(
	options: PodOptions,
	session: SessionParts,
	children: Pick<ChildParts, 'prepare' | 'setMode'>,
	send: (method: Method) => Promise<Receipt>,
): ToolParts {
	const {limits, env, clock} = options;
	const {scope, history, hub, widen} = session;
	const answered = options.child?.answered ?? options.answered ?? {rules: []};
	const confinement = assembleConfinement(options, session);
	const own = createSessionApprovals(options, session, {answered, confinement});
	const approvals = followedBy(session.planMode, own, children);
	const trust = createSessionTrust(options, session);
	const workflows = createSessionWorkflows(options, session, approvals, trust);
	const widenForSkills = async (items: readonly Item[]) => widen(workflows.folders(items));
	const web = assembleWeb(options, approvals);
	const {tools, background} = createPodTools({
		scope,
		limits,
		env,
		clock,
		history,
		hub,
		sessionDir: options.session.dir,
		widen,
		send,
		...confinementOfBash(confinement, session, approvals),
		workflow: {workflows, clock, widen: widenForSkills},
		questions: {...session.user, mode: session.planMode},
	});
	const {child} = options;
	const mcp = child === undefined ? createSessionMcp(options, session, trust) : notClosing(child.mcp);
	const pod = child === undefined ? podTool(children) : nestedPodTool();
	const mayCall = (tool: Tool) => child?.tools?.includes(tool.definition.name) !== false;
	const offered = () => [...tools, web.tool, pod, ...(options.moreTools ?? []), ...mcp.tools()].filter(mayCall);
	return {approvals, answered, confinement, workflows, mcp, background, webRefs: web.refs, offered, widenForSkills};
}

function createSessionApprovals(
	{env, approval}: PodOptions,
	{scope, hub, user, warn}: SessionParts,
	{answered, confinement}: {readonly answered: AnsweredRules; readonly confinement: Confinement | undefined},
): Approvals {
	return createApprovals({
		scope,
		env,
		answered,
		...(confinement !== undefined && {unconfined: async () => confinement.missing()}),
		mode: 'ask',
		rules: {user: [], project: []},
		...approval,
		...user,
		onMode: mode => hub.setStatus(approvalStatus(mode)),
		onTrouble: warn,
	});
}

/** Returns the servers of the parent, which this session may not close. */
function notClosing(mcp: Mcp): Mcp {
	return {...mcp, close: async () => {}};
}

/** Sets plan mode before the approvals settle their open questions, which depend on the scope. Children follow. */
function followedBy(mode: PlanMode, approvals: Approvals, children: Pick<ChildParts, 'setMode'>): Approvals {
	return {
		...approvals,
		setMode(next) {
			mode.follow(next);
			approvals.setMode(next);
			children.setMode(next);
		},
	};
}

function createSessionTrust({env, trustPresent}: PodOptions, {scope, user, warn}: SessionParts): Trust {
	return createTrust({
		store: async () => openTrustStore(env, scope.pwd),
		acceptPresent: trustPresent === true,
		onProblem: warn,
		...user,
	});
}

function createSessionWorkflows(
	{env, clock}: PodOptions,
	{scope, warn}: SessionParts,
	{refusesReading}: Approvals,
	trust: Trust,
): Workflows {
	const {pwd, owners} = scope;
	return createWorkflows({pwd, env, owners, refusesReading, clock, trust, onWarning: warn});
}

function createSessionMcp(
	{env, attended, editorServers}: PodOptions,
	{scope, hub, user, warn}: SessionParts,
	trust: Trust,
): Mcp {
	const {pwd, owners} = scope;
	const onStart = () => hub.setStatus({step: 'resolving'});
	return createMcp({pwd, env, owners, trust, attended, onStart, onWarning: warn, editorServers, ...user});
}

/** Returns the mode for the status. It omits `ask`, which is the default. */
function approvalStatus(mode: ApprovalMode): Partial<Status> {
	return {approval: mode === 'ask' ? undefined : mode};
}
