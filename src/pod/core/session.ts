import {createHistory, type History, stamp, type Clock, type ReadMedia, type Settings} from '../../worker/index.ts';
import {keptOutputs, ownOutput} from '../tools/processes/output-file.ts';
import {createMeter, type Meter} from '../ground/counts/meter.ts';
import {homeOf} from '../ground/env/env.ts';
import {interruption, projectedItems} from '../ground/history/reader.ts';
import type {SessionMode} from '../ground/history/recorded.ts';
import {createPlanMode, readOnlyInPlan, type PlanMode} from '../permissions/plan/plan-mode.ts';
import type {Ask, SessionInfo, Status} from '../protocol.ts';
import {
	addFolders,
	createWidenableScope,
	withRoots,
	type WidenableScope,
} from '../permissions/approval/path-readings.ts';
import type {Scope} from '../scope/scope.ts';
import {createApprovalNotes, type ApprovalNotes} from '../permissions/approval/approval-notes.ts';
import {createAsks, type Answer, type Asks} from '../permissions/approval/asks.ts';
import {createHub, type Hub} from '../run/status/hub.ts';
import {createConversations, type Conversations} from './conversations.ts';
import {createCurrentModel, type CurrentModel} from '../models/current-model.ts';
import {effortOf} from '../models/effort.ts';
import {commitBetweenRuns, type CommitBetweenRuns} from './between-runs.ts';
import {createModeRecorder, type ModeRecorder} from './mode-recorder.ts';
import type {CoreOptions} from './options.ts';
import {mediaIn} from '../ground/history/media-of.ts';
import {createReadsImages, withInput} from '../models/reads-images.ts';
import {mediaReader} from '../disk/bodies/hashed-files.ts';
import type {HashedFolder} from '../disk/bodies/hashed-files.ts';
import {pastedFolder} from '../disk/bodies/pasted.ts';
import {stateHome} from '../disk/paths.ts';
import {createMediaCheck, type MediaCheck} from '../references/submission/media-check.ts';
import {t} from '../../language/index.ts';

/** The parts of an open session: history, status, scope, and the user who can approve. */
export type SessionParts = {
	readonly history: History;
	/**
	The scope of the model's tools, read-only in plan mode. The object stays the same when the user adds folders or
	changes the mode, and its values are always current.
	*/
	readonly scope: Scope;
	/** The same scope for the user's own actions, such as restoring files. Plan mode does not restrict this scope. */
	readonly userScope: Scope;
	readonly planMode: PlanMode;
	readonly findFolder: WidenableScope['find'];
	/** Returns the settings that the user made for the session. */
	readonly mode: () => SessionMode;
	readonly recorder: ModeRecorder;
	/** Makes the folders readable that the session itself needs. */
	readonly widen: (folders: readonly string[]) => Promise<void>;
	readonly hub: Hub;
	readonly meter: Meter;
	readonly model: CurrentModel;
	readonly conversations: Conversations;
	readonly media: MediaParts;
	readonly asks: Asks;
	/** What decided about the calls whose results are not committed yet. */
	readonly notes: ApprovalNotes;
	/** `ask` is absent if no user can answer. */
	readonly user: {readonly ask?: AskUser};
	readonly warn: (text: string) => void;
	/** Aborted when the pod shuts down. */
	readonly closing: AbortController;
};

type AskUser = (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;

export function createSessionParts(options: CoreOptions): SessionParts {
	const {session, clock} = options;
	const history = createHistory(session.log, session.items);
	const copyOf = (path: string) => ownOutput(session.dir, path);
	const {scope: userScope, find} = createWidenableScope(
		{...withRoots(options.scope, keptOutputs(session.dir)), copyOf},
		{
			home: homeOf(options.env),
			onChange() {
				hub.renew();
				recorder.changed();
			},
		},
	);
	const added = [...(options.mode?.addDirs ?? [])];
	const findFolder = noting(find, userScope, added);
	const planMode = createPlanMode(options.approval?.mode);
	const scope = readOnlyInPlan(userScope, planMode);
	const info = (): SessionInfo => ({
		id: session.id,
		...(options.child !== undefined && {child: {parent: options.child.parent, title: options.child.title}}),
		model: model.get().name,
		access: model.get().access,
		effort: effortOf(model.get()),
		scope: {pwd: scope.pwd, writable: userScope.writable, readRoots: scope.readRoots},
		prices: meter.prices(),
		settings: model.get().settings,
	});
	const hub = createHub(history, info, firstStatus(options, history), {stream: session.stream});
	const commit = commitBetweenRuns(history, hub);
	session.onRescue?.(createRescueReport({hub, clock, commit}));
	const model = createCurrentModel(options.model, {
		onChange() {
			meter.changeModel();
			hub.renew();
		},
		onWaiting: next =>
			hub.setStatus({nextModel: next?.name, nextEffort: next === undefined ? undefined : effortOf(next)}),
	});
	const meter = createMeter({
		history,
		model: model.get,
		project: projectedItems,
		onUse: context => hub.setStatus({context}),
		onPrices: () => hub.renew(),
		onBeside: options.child?.spent,
	});
	const conversations = createConversations(options, history, meter);
	const {child} = options;
	const notes = createApprovalNotes(clock);
	const asks = notes.observe(child?.asks ?? createAsks(clock.id));
	const closing = new AbortController();
	const unobserve = asks.observe(list => hub.setStatus({asks: [...list]}));
	closing.signal.addEventListener('abort', unobserve, {once: true});
	const warn = (text: string) => hub.alert({level: 'warn', text});
	const mode = () => modeNow(options.mode, hub.status().approval, added);
	const recorder = createModeRecorder({history, clock, commit, mode, isRecorded: options.mode !== undefined});
	return {
		history,
		scope,
		userScope,
		planMode,
		findFolder,
		mode,
		recorder,
		widen: async folders => addFolders(folders, find, warn),
		hub,
		meter,
		model,
		conversations,
		media: assembleMedia(options, {history, model, warn}),
		asks,
		notes,
		user: options.attended ? {ask: async (question, signal) => asks.ask(question, signal)} : {},
		warn,
		closing,
	};
}

/** Returns a `find` that also records in `added` which folders the user adds to the scope. */
function noting(find: WidenableScope['find'], scope: Scope, added: string[]): WidenableScope['find'] {
	return async path => {
		const found = await find(path);
		if (!found.ok) return found;
		return {
			ok: true,
			add() {
				const before = scope.readRoots;
				found.add();
				added.push(...scope.readRoots.filter(root => !before.includes(root)));
			},
		};
	};
}

function modeNow(start: SessionMode | undefined, approval: Status['approval'], added: readonly string[]): SessionMode {
	const {approval: _, addDirs: _dirs, ...rest} = start ?? {};
	return {
		...(approval !== undefined && {approval}),
		...rest,
		...(added.length > 0 && {addDirs: [...added]}),
	};
}

/**
Returns the state of a session that was just opened. The user can resume an interrupted turn, but not a cancelled turn.
*/
export function restingState(history: History): 'idle' | 'paused' {
	const cause = interruption(history.items);
	return cause === undefined || cause === 'cancelled' ? 'idle' : 'paused';
}

/** `seconds`: the time until the next attempt. */
export function willRetry(sentence: string, seconds: number): string {
	return t`${sentence} Retrying in ${seconds} s.`;
}

/** Returns the first status. The status omits `ask` mode, which is the default. */
function firstStatus({approval, child}: CoreOptions, history: History): Status {
	const mode = approval === undefined || approval.mode === 'ask' ? {} : {approval: approval.mode};
	return {kind: restingState(history), asks: [...(child?.asks.list() ?? [])], queue: [], ...mode};
}

/**
Returns the listener that is called after inkpod saved the session again because its folder had vanished. The listener
alerts the user at once, and commits the sentence as a notice between two runs.
*/
function createRescueReport({hub, clock, commit}: Rescued): (sentence: string) => Promise<void> {
	return async sentence => {
		hub.renew();
		hub.alert({level: 'warn', text: sentence});
		const origin = {kind: 'notice', about: 'rescued'};
		await commit(() => [stamp(clock, {type: 'message', role: 'system', text: sentence, origin})]);
	};
}

type Rescued = {
	readonly hub: Pick<Hub, 'alert' | 'renew'>;
	readonly clock: Clock;
	readonly commit: CommitBetweenRuns;
};

/** The images and documents of a session. */
type MediaParts = {
	readonly read: ReadMedia;
	readonly check: MediaCheck;
	/** The folder of the images that the user pasted into messages. */
	readonly pasted: HashedFolder;
	/**
	Returns the settings of the next request. If the history contains images or documents, the settings state which of
	them the model can read.
	*/
	settings(settings: Settings): Promise<Settings>;
};

type Parts = {readonly history: History; readonly model: CurrentModel; readonly warn: (text: string) => void};

function assembleMedia({session, models, env}: CoreOptions, {history, model, warn}: Parts): MediaParts {
	const readsImages = createReadsImages(async () => (await models?.list('local')) ?? []);
	const reported = new Set<string>();
	const onMissing = (sha256: string) => {
		if (!reported.has(sha256)) warn(missingMedia(pathOf(sha256, history)));
		reported.add(sha256);
	};
	const hasMedia = createSearch(history);
	const settingsOf = async (settings: Settings) => withInput(model.get().name, settings, readsImages);
	return {
		read: mediaReader(() => session.dir, onMissing),
		check: createMediaCheck({
			async model() {
				const {name, settings = {}} = model.get();
				return {name, settings: await settingsOf(settings)};
			},
			context: () => projectedItems(history.items),
		}),
		pasted: pastedFolder(stateHome(env)),
		settings: async settings => (hasMedia() ? settingsOf(settings) : settings),
	};
}

/**
Returns a function that tells whether the history contains images or documents. The function reads each item only once.
*/
function createSearch({items}: History): () => boolean {
	let read = 0;
	let isFound = false;
	return () => {
		for (; !isFound && read < items.length; read++) {
			const item = items[read];
			isFound = item !== undefined && mediaIn(item) !== undefined;
		}
		return isFound;
	};
}

function pathOf(sha256: string, {items}: History): string {
	const origin = items.findLast(item => mediaIn(item)?.sha256 === sha256);
	const path = origin?.type === 'message' ? origin.origin?.['path'] : undefined;
	return typeof path === 'string' ? path : '';
}

/** Returns the warning about an image or document that cannot be sent. */
function missingMedia(path: string): string {
	const name = path === '' ? t`An image` : path;
	return t`${name} cannot be sent: its stored copy is missing or was changed. The model gets a note instead.
		To send it, attach it again.`;
}
