import type {ApprovalMode, Status} from '../protocol.ts';
import {createApprovals, type Approvals} from '../permissions/approval/approvals.ts';
import type {AnsweredRules} from '../permissions/approval/judge.ts';
import type {Confinement} from '../permissions/confine/confinement.ts';
import {openTrustStore} from '../permissions/trust/store.ts';
import {createTrust, type Trust} from '../permissions/trust/trust.ts';
import {createSessionConfinement} from './confine.ts';
import type {CoreOptions} from './options.ts';
import type {SessionParts} from './session.ts';

/** The parts of a pod that decide about calls, commands and files. */
export type PermissionParts = {
	readonly approvals: Approvals;
	/** The rules "for this session", which children share. */
	readonly answered: AnsweredRules;
	/** Confines commands. Absent if the user has turned it off. */
	readonly confinement: Confinement | undefined;
	readonly trust: Trust;
};

/** `onMode` is called after the approval mode has changed. */
export function createPermissions(
	options: CoreOptions,
	session: SessionParts,
	onMode: (mode: ApprovalMode) => void,
): PermissionParts {
	const {env, approval, child, trustPresent} = options;
	const {scope, hub, user, warn, planMode, recorder, notes} = session;
	const answered = child?.answered ?? options.answered ?? {rules: []};
	const confinement = createSessionConfinement(options, session);
	const approvals = createApprovals({
		scope,
		env,
		answered,
		...(confinement !== undefined && {
			unconfined: async () => confinement.missing(),
			canTry: async () => confinement.canTry(),
		}),
		mode: 'ask',
		rules: {user: [], project: []},
		...approval,
		...user,
		notes,
		onMode(mode) {
			hub.setStatus(approvalStatus(mode));
			recorder.changed();
		},
		onTrouble: warn,
	});
	const trust = createTrust({
		store: async () => openTrustStore(env, scope.pwd),
		acceptPresent: trustPresent === true,
		onProblem: warn,
		...user,
	});
	return {
		approvals: {
			...approvals,
			setMode(mode) {
				// Plan mode must change first: `setMode` of the approvals decides open questions again, and the answers
				// depend on the scope.
				planMode.follow(mode);
				approvals.setMode(mode);
				onMode(mode);
			},
		},
		answered,
		confinement,
		trust,
	};
}

/** Returns the mode for the status. The status omits `ask`, which is the default. */
function approvalStatus(mode: ApprovalMode): Partial<Status> {
	return {approval: mode === 'ask' ? undefined : mode};
}
