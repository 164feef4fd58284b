/**
The entry file of the pod for commands. In development this file loads the whole pod. The build includes only the code
that a command uses. The chat's first frame loads only first-frame.ts.
*/
export * from './first-frame.ts';
export type {Rules} from './permissions/approval/decision.ts';
export {connectPod} from './remote/attach/client.ts';
export {wireShape} from './ground/text/json-shape.ts';
export {createLineReader} from './ground/text/lines.ts';
export {maxClientLineBytes, parseClientMessage, type ClientMessage} from './remote/attach/wire.ts';
export {sessionOfSocket, socketPath} from './remote/attach/socket-path.ts';
export {nearestName} from './ground/text/nearest-name.ts';
export {bundleFiles} from './disk/bundle/bundle-files.ts';
export {memorySource, type ByteSource} from './disk/bundle/byte-source.ts';
export {collectFiles, type PackedFile} from './disk/bundle/bundle-files.ts';
export {checkEntries, type BundleManifest, type ScreenDigest} from './disk/bundle/manifest.ts';
export {openBundle, type OpenBundle} from './disk/bundle/open-bundle.ts';
export {packBundle} from './disk/bundle/tar.ts';
export {printMaxTurns} from './config/limits.ts';
export {readSettings, type Flag, type ReadSetting, type ReadSettings} from './open/settings/read-settings.ts';
export {saveSetting} from './config/settings/save-setting.ts';
export {saveTyped} from './config/settings/save-setting.ts';
export {chooseModel, configuredKeys, type ModelSource, type ModelWishes} from './config/model-choice.ts';
export {lookUpModel} from './ground/counts/catalogue.ts';
export {truncatedRequest} from './ground/counts/cut-notice.ts';
export {createLedger} from './context/ledger/ledger-query.ts';
export {addServer, removeServer} from './servers/mcp/editor-servers.ts';
export {logInToMcp, logOutOfMcp, type McpLoginOptions} from './servers/mcp/oauth/login.ts';
export {oauthTexts} from './servers/mcp/oauth/login.ts';
export {createToolbox} from './open/mcp-serve/toolbox.ts';
export {serveMcpClient} from './open/mcp-serve/serve-client.ts';
export {pricesOf} from './ground/counts/meter.ts';
export {childEnv, shellOf} from './ground/env/child-env.ts';
export {configDirectory} from './ground/env/env.ts';
export {findKey, type KeySource} from './ground/env/found-key.ts';
export {keyVariables} from './ground/env/key-variables.ts';
export {networkOf} from './ground/env/env.ts';
export {
	changeItems,
	noExportContext,
	readExportContext,
	type ExportContext,
	type Conversation,
	type ExportedImage,
} from './disk/export/export-context.ts';
export {historyBytes} from './disk/export/views.ts';
export {createRedactor, withText, type FoundSecret, type FoundSecrets, type Redactor} from './disk/export/redact.ts';
export {notUtf8, useBytePaths} from './ground/files/use-byte-paths.ts';
export {pathExists} from './ground/files/path-exists.ts';
export {loadPromptFiles} from './disk/prompt-history/record-prompts.ts';
export {attributeRequest, context} from './ground/history/reader.ts';
export {credentialsFile} from './models/keys/credentials-path.ts';
export {loadStoredKeys} from './models/keys/load-stored.ts';
export {keySourceText} from './models/keys/source-text.ts';
export {logIn, logOut, providersWithKeys, type LoginResult} from './models/keys/login.ts';
export type {Manifest} from './open/manifest/load-manifest.ts';
export {loopbackServers} from './models/loopback-servers.ts';
export {findLocalModels} from './models/local-servers.ts';
export {readRecentModels} from './models/recent-models.ts';
export {checkFolder, isListening, knock, socketFolder} from './platform/local-door.ts';
export {findProgram, isProgram} from './platform/programs.ts';
export {systemOf} from './platform/system.ts';
export {readGitHead} from './scope/git-root.ts';
export {ownersOf} from './scope/owners.ts';
export {createScope} from './scope/scope.ts';
export {readTail} from './disk/log/tail.ts';
export {failureOf, failureSentence, readAt, realFiles, type Files, type OpenFile} from './disk/files.ts';
export {homeProblem, unwritableHome} from './open/start/home-problem.ts';
export {bodyOf, spanOf} from './disk/format/line.ts';
export {blame, type BlamedLine} from './open/blame/blame.ts';
export {sessionRecords} from './disk/records/session-records.ts';
export type {PricesOf} from './disk/records/record-rows.ts';
export {changeLabel} from './disk/list/label.ts';
export {retireSessions} from './disk/list/trash.ts';
export {findText} from './disk/list/search-text.ts';
export type {TextHit} from './protocol/text-hit.ts';
export {allFound, foundIn, lastSessions, latestSession, listAllSessions, listSessions} from './disk/list/list.ts';
export {readSummary, type FoundSession, type SessionSummary} from './disk/list/summary.ts';
export {lockOwner} from './disk/log/lock.ts';
export {historyName, idOf, lockFile, projectDir, sessionsRoot, stateHome} from './disk/paths.ts';
export {modelFacts} from './open/start/model-facts.ts';
export {familySpending, turnFacts} from './disk/conversations/read-facts.ts';
export {totalCost} from './ground/counts/spent.ts';
export {readFacts} from './disk/conversations/read-facts.ts';
export {readEnd, readSession, type OpenEnd, type StoredSession} from './disk/log/read.ts';
export type {RequestsVerdict} from './disk/check/verify-requests.ts';
export {importSession} from './disk/check/rescue.ts';
export {emptyTrash, listTrash, restoreTrashed, trashRoot, trashSession} from './disk/list/trash.ts';
export {mediaReader} from './disk/bodies/hashed-files.ts';
export {findConfinement, whyNoCells} from './permissions/confine/confinement.ts';
export {noCellsTexts, remedies, unconfinableTexts} from './permissions/confine/texts.ts';
export {verifySideQuestions, type SideQuestionsVerdict, type CheckedSideQuestion} from './disk/check/verify-blobs.ts';
export {verifyBlobs, type BlobsVerdict} from './disk/check/verify-blobs.ts';
export {verifyChildren, type ChildrenVerdict} from './disk/check/verify-blobs.ts';
export {verifySummaries, type SummariesVerdict} from './disk/check/verify-summaries.ts';
export {describeKey, makeSignature, signTexts} from './disk/signatures/make-signature.ts';
export {readSignatures} from './disk/signatures/signature-file.ts';
export {verifySignatures, type SignaturesVerdict} from './disk/signatures/verify-signatures.ts';
export {findKeygen} from './platform/ssh-keygen.ts';
export {verifyChecks} from './disk/check/verify-checks.ts';
export {verifySession, type Finding, type Verdict} from './disk/check/verify.ts';
export {attachRemote} from './open/start/attach-remote.ts';
export {chooseCompleted} from './open/start/complete-choice.ts';
export {createModelList, listKnownModels} from './open/start/list-models.ts';
export {skippedSentences} from './open/start/find-project.ts';
export {inspectInstructions, inspectMcp, inspectWorkflows, type InspectOptions} from './open/start/inspect.ts';
export {liveSessions, type LiveSession} from './open/start/live-sessions.ts';
export {sessionStates, type SessionState} from './protocol/live-state.ts';
export {limitMemory} from './open/start/limit-memory.ts';
export {openPlanned} from './open/start/open-planned.ts';
export type {RedactResult, RedactWish, Unwanted} from './open/start/redact-stored.ts';
export {findStoredSession, readStoredSession, type StoredSessionOptions} from './open/start/read-stored-session.ts';
export {startPod, type Started} from './open/start/start-pod.ts';
export type {OwnParts} from './open/start/local-pod.ts';
export {createStaleCheck} from './references/submission/stale.ts';
export {createReplay, type Replay, type ReplayPlace} from './open/replay/replay.ts';
export {findRipgrep} from './tools/search/find-ripgrep.ts';
import type {Item, ReadMedia} from '../worker/index.ts';
import {addUnfinished, noUnfinished} from './context/compaction/plan.ts';
import type {UnfinishedCompactions} from './protocol.ts';
import {unfinishedConversations} from './disk/conversations/summary-conversations.ts';
import {historyFile} from './disk/paths.ts';
import type {StoredSession} from './disk/log/read.ts';
import type {CheckedSideQuestion} from './disk/check/verify-blobs.ts';
import type {Forked} from './disk/conversations/fork.ts';
import type {Repaired} from './disk/check/repair.ts';
import type {RedactResult, RedactWish} from './open/start/redact-stored.ts';
import type {RequestsVerdict, verifyRequests as verify} from './disk/check/verify-requests.ts';

/** Verifies the requests of a session. The code is loaded on its first use, because it includes every provider. */
export async function verifyRequests(...args: Parameters<typeof verify>): ReturnType<typeof verify> {
	const requests = await import('./disk/check/verify-requests.ts');
	return requests.verifyRequests(...args);
}

/** Returns the compactions of a stored session that did not finish, or `undefined` if there are none. */
export async function unfinishedIn(dir: string, items: readonly Item[]): Promise<UnfinishedCompactions | undefined> {
	let lost = noUnfinished;
	for await (const each of unfinishedConversations(dir, items)) lost = addUnfinished(lost, each.items);
	return lost.compactions === 0 ? undefined : lost;
}

/** The verdict about the requests of one side session. `path` is the path of its history.json. */
export type SideRequests = {readonly path: string; readonly verdict: RequestsVerdict};

/** Verifies the requests of side sessions and of side questions. A side question begins with items of its session. */
export async function verifySideRequests(
	sessions: readonly StoredSession[],
	sideQuestions: readonly CheckedSideQuestion[] = [],
	readMedia?: ReadMedia,
): Promise<readonly SideRequests[]> {
	const own: SideRequests[] = [];
	for (const {dir, items} of sessions) own.push({path: historyFile(dir), verdict: await verifyRequests(items)});
	for (const {session, before} of sideQuestions) {
		const options = {from: before.length, readMedia};
		const verdict = await verifyRequests([...before, ...session.items], options);
		own.push({path: historyFile(session.dir), verdict});
	}
	return own;
}

/** Removes texts from stored sessions. The code is loaded on its first use. */
export async function redactStored(wish: RedactWish): Promise<RedactResult> {
	const stored = await import('./open/start/redact-stored.ts');
	return stored.redactStored(wish);
}

/** Makes an intact copy of a damaged session. The code is loaded on its first use. */
export async function repairSession(dir: string): Promise<Repaired> {
	const {repairStored} = await import('./open/start/copy-session.ts');
	return repairStored(dir);
}

/** Creates a session that begins as a copy of another session. The code is loaded on its first use. */
export async function forkStoredSession(dir: string): Promise<Forked> {
	const {forkWhole} = await import('./open/start/copy-session.ts');
	return forkWhole(dir);
}
export {askServer, type Asked} from './open/serve/control-server.ts';
export {listenForTerminals} from './open/serve/control-server.ts';
export {serverSocket} from './open/serve/control-server.ts';
export {startOptionsOf, type Transfer} from './open/serve/transfer.ts';
export {createBackgroundHost} from './open/serve/background-host.ts';
export {serveTexts} from './open/serve/texts.ts';
