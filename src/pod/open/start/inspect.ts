import {t} from '../../../language/index.ts';
import {systemClock} from '../../../worker/index.ts';
import {createApprovals, type ApprovalOptions} from '../../permissions/approval/approvals.ts';
import type {Env} from '../../ground/env/env.ts';
import {foldersFromRoot, readFolder, type FolderInstructions} from '../../references/instructions/find.ts';
import {refusalSentence} from '../../references/instructions/changes.ts';
import {loadMcpConfig} from '../../servers/mcp/config.ts';
import {findMcpFiles} from '../../servers/mcp/config-files.ts';
import type {WorkflowInfo} from '../../protocol.ts';
import {foreignSentence} from '../../scope/owners.ts';
import type {RefusesReading} from '../../scope/read.ts';
import type {Owners, Scope} from '../../scope/scope.ts';
import {foreignIgnoreFiles} from '../../tools/search/ignore-rules.ts';
import {openTrustStore} from '../../permissions/trust/store.ts';
import {createTrust} from '../../permissions/trust/trust.ts';
import {createWorkflows} from '../../references/workflows/workflows.ts';

/** The rules and the scope that a session in a directory would have. */
export type InspectOptions = Pick<ApprovalOptions, 'rules' | 'startedIn'> & {
	readonly scope: Scope & Required<Pick<Scope, 'owners'>>;
	readonly env: Env;
};

/** Returns the workflows of a session, including broken ones, and the warnings for its user. */
export async function inspectWorkflows(
	options: InspectOptions,
): Promise<{readonly workflows: readonly WorkflowInfo[]; readonly warnings: readonly string[]}> {
	const {
		scope: {pwd, owners},
		env,
	} = options;
	const warnings: string[] = [];
	const onWarning = (text: string) => void warnings.push(text);
	const trust = createTrust({
		store: async () => openTrustStore(env, pwd),
		acceptPresent: false,
		onProblem: onWarning,
	});
	const refusesReading = refusalsOf(options);
	const clock = systemClock();
	const workflows = await createWorkflows({pwd, env, owners, refusesReading, clock, trust, onWarning}).list();
	return {workflows, warnings};
}

/** An instructions file of a new session, or the reason why the session does not use it. */
type InspectedInstructions = {readonly file: string} | {readonly warning: string};

export async function inspectInstructions(options: InspectOptions): Promise<readonly InspectedInstructions[]> {
	const {scope} = options;
	const {pwd, owners} = scope;
	const refusesReading = refusalsOf(options);
	const {signal} = new AbortController();
	const found = await Promise.all(
		foldersFromRoot(scope).map(async folder => readFolder(scope, folder, {refusesReading, signal})),
	);
	const foreign = [...found.flatMap(each => each.foreign ?? []), ...foreignIgnoreFiles(pwd, pwd, owners)];
	return [...found.flatMap(inspected), ...foreign.map(each => ({warning: foreignSentence(t, each, owners)}))];
}

function inspected(found: FolderInstructions): InspectedInstructions[] {
	if (found.type === 'text') return [{file: found.file}];
	return found.type === 'refused' ? [{warning: refusalSentence(found)}] : [];
}

/** Returns the MCP servers of a session without starting them. */
export async function inspectMcp(pwd: string, env: Env, owners?: Owners): ReturnType<typeof loadMcpConfig> {
	return loadMcpConfig(await findMcpFiles({pwd, env, owners}), env, owners);
}

function refusalsOf({scope, env, rules, startedIn}: InspectOptions): RefusesReading {
	return createApprovals({scope, env, mode: 'ask', rules, startedIn, onTrouble() {}}).refusesReading;
}
