/**
The entry file of the pod for commands. In development this file loads the whole pod. The build takes only what a
command uses. The chat's first frame loads only first-frame.ts.
*/
export * from './first-frame.ts';
export type {Rules} from './approval/decision.ts';
export {connectPod} from './attach/client.ts';
export {wireShape} from './attach/json-shape.ts';
export {createLineReader} from './attach/lines.ts';
export {maxClientLineBytes, parseClientMessage, type ClientMessage} from './attach/wire.ts';
export {isListening} from './attach/probe.ts';
export {checkFolder, checkSocket, sessionOfSocket, socketFolder, socketPath} from './attach/socket-path.ts';
export {nearestName} from './approval/nearest-name.ts';
export {bundleFiles} from './bundle/bundle-files.ts';
export {memorySource, type ByteSource} from './bundle/byte-source.ts';
export {collectFiles, type PackedFile} from './bundle/collect.ts';
export {checkEntries, type BundleManifest, type ScreenDigest} from './bundle/manifest.ts';
export {openBundle, type OpenBundle} from './bundle/open-bundle.ts';
export {packBundle} from './bundle/pack.ts';
export {printMaxTurns} from './config/limits.ts';
export {readSettings, type Flag, type ReadSetting, type ReadSettings} from './settings/read-settings.ts';
export {saveSetting} from './settings/save-setting.ts';
export {saveTyped} from './settings/save-typed.ts';
export {chooseModel, configuredKeys, type ModelSource, type ModelWishes} from './config/model-choice.ts';
export {lookUpModel} from './context/catalogue.ts';
export {truncatedRequest} from './context/truncated-counts.ts';
export {createLedger} from './context/ledger-query.ts';
export {addServer, removeServer} from './mcp/edit-servers.ts';
export {logInToMcp, logOutOfMcp, type McpLoginOptions} from './mcp/oauth/login.ts';
export {oauthTexts} from './mcp/oauth/texts.ts';
export {createToolbox} from './mcp-serve/toolbox.ts';
export {serveMcpClient} from './mcp-serve/serve-client.ts';
export {pricesOf} from './context/meter.ts';
export {childEnv, shellOf} from './env/child-env.ts';
export {configDirectory} from './env/env.ts';
export {findKey, type KeySource} from './env/found-key.ts';
export {keyVariables} from './env/key-variables.ts';
export {networkOf} from './env/network.ts';
export {
	changeItems,
	noBelongings,
	readBelongings,
	type Belongings,
	type Conversation,
	type ExportedImage,
} from './export/belongings.ts';
export {historyBytes} from './export/history-text.ts';
export {createRedactor, type FoundSecret, type FoundSecrets, type Redactor} from './export/redact.ts';
export {notUtf8, useBytePaths} from './files/use-byte-paths.ts';
export {pathExists} from './files/path-exists.ts';
export {attributeRequest, context} from './history/reader.ts';
export {credentialsFile} from './keys/credentials-path.ts';
export {loadStoredKeys} from './keys/load-stored.ts';
export {keySourceText} from './keys/source-text.ts';
export {logIn, logOut, providersWithKeys, type LoginResult} from './keys/login.ts';
export type {Manifest} from './manifest/load-manifest.ts';
export {loopbackServers} from './models/loopback-servers.ts';
export {findLocalModels} from './models/local-servers.ts';
export {readRecentModels} from './models/recent-models.ts';
export {findProgram, isProgram} from './processes/programs.ts';
export {readGitHead} from './scope/git-head.ts';
export {ownersOf} from './scope/owners.ts';
export {createScope} from './scope/scope.ts';
export {readTail} from './session/tail.ts';
export {failureOf, failureSentence, readAt, realFiles, type Files, type OpenFile} from './session/files.ts';
export {homeProblem, unwritableHome} from './session/home-problem.ts';
export {bodyOf, spanOf} from './session/line.ts';
export {changeLabel} from './session/label.ts';
export {retireSessions} from './session/retire.ts';
export {findText, type TextHit} from './session/search-text.ts';
export {
	allFound,
	foundIn,
	lastSessions,
	listAllSessions,
	listSessions,
	readSummary,
	type FoundSession,
	type SessionSummary,
} from './session/list.ts';
export {lockOwner} from './session/lock.ts';
export {historyName, idOf, lockFile, projectDir, sessionsRoot, stateHome} from './session/paths.ts';
export {modelFacts} from './start/model-facts.ts';
export {familySpending} from './session/family-spending.ts';
export {totalCost} from './context/spent.ts';
export {readFacts} from './session/read-facts.ts';
export {readEnd, readSession, type OpenEnd, type StoredSession} from './session/read.ts';
export type {RequestsVerdict} from './session/verify-requests.ts';
export {importSession} from './session/import.ts';
export {emptyTrash, listTrash, restoreTrashed, trashRoot, trashSession} from './session/trash.ts';
export {mediaReader} from './session/blobs.ts';
export {findConfinement, whyNoCells} from './confine/confinement.ts';
export {noCellsTexts, remedies, unconfinableTexts} from './confine/texts.ts';
export {verifyAsides, type AsidesVerdict, type CheckedAside} from './session/verify-asides.ts';
export {verifyBlobs, type BlobsVerdict} from './session/verify-blobs.ts';
export {verifyChildren, type ChildrenVerdict} from './session/verify-children.ts';
export {verifySides, type SidesVerdict} from './session/verify-sides.ts';
export {verifySession, type Finding, type Verdict} from './session/verify.ts';
export {attachRemote} from './start/attach-remote.ts';
export {chooseCompleted, listKnownModels} from './start/complete-choice.ts';
export {skippedSentences} from './start/find-project.ts';
export {inspectInstructions, inspectMcp, inspectWorkflows, type InspectOptions} from './start/inspect.ts';
export {liveSessions, type LiveSession} from './start/live-sessions.ts';
export {sessionStates, type SessionState} from './protocol/live-state.ts';
export {openPlanned} from './start/open-planned.ts';
export {findStoredSession, readStoredSession, type StoredSessionOptions} from './start/read-stored-session.ts';
export {startPod, type Started} from './start/start-pod.ts';
export type {OwnParts} from './start/own-parts.ts';
export {createStaleCheck} from './submission/stale.ts';
export {createReplay, type Replay, type ReplayPlace} from './replay/replay.ts';
export {findRipgrep} from './tools/find-ripgrep.ts';
import type {Item, ReadMedia} from '../worker/index.ts';
import {addUnfinished, noUnfinished} from './compaction/unfinished.ts';
import type {UnfinishedCompactions} from './protocol.ts';
import {unfinishedConversations} from './session/sides.ts';
import {historyFile} from './session/paths.ts';
import type {StoredSession} from './session/read.ts';
import type {CheckedAside} from './session/verify-asides.ts';
import type {Forked} from './session/fork.ts';
import type {Repaired} from './session/repair.ts';
import type {RequestsVerdict, verifyRequests as verify} from './session/verify-requests.ts';

/** Verifies the requests of a session. It loads the code on its first use, because that includes every provider. */
export async function verifyRequests(...args: Parameters<typeof verify>): ReturnType<typeof verify> {
	const requests = await import('./session/verify-requests.ts');
	return requests.verifyRequests(...args);
}

/** Returns the compactions of a stored session that did not finish, or `undefined` if there are none. */
export async function unfinishedIn(dir: string, items: readonly Item[]): Promise<UnfinishedCompactions | undefined> {
	let lost = noUnfinished;
	for await (const each of unfinishedConversations(dir, items)) lost = addUnfinished(lost, each.items);
	return lost.compactions === 0 ? undefined : lost;
}

/** The result of making the requests of one side session again. `path` is its history.json. */
export type SideRequests = {readonly path: string; readonly verdict: RequestsVerdict};

/** Verifies the requests of side sessions, and of side questions, which begin with items of their session. */
export async function verifySideRequests(
	sessions: readonly StoredSession[],
	asides: readonly CheckedAside[] = [],
	readMedia?: ReadMedia,
): Promise<readonly SideRequests[]> {
	const own: SideRequests[] = [];
	for (const {dir, items} of sessions) own.push({path: historyFile(dir), verdict: await verifyRequests(items)});
	for (const {session, before} of asides) {
		const options = {from: before.length, readMedia};
		const verdict = await verifyRequests([...before, ...session.items], options);
		own.push({path: historyFile(session.dir), verdict});
	}
	return own;
}

/** Makes an intact copy of a damaged session. It loads the code on its first use. */
export async function repairSession(dir: string): Promise<Repaired> {
	const {repairStored} = await import('./start/copy-session.ts');
	return repairStored(dir);
}

/** Creates a session that begins as a copy of another one. It loads the code on its first use. */
export async function forkStoredSession(dir: string): Promise<Forked> {
	const {forkWhole} = await import('./start/copy-session.ts');
	return forkWhole(dir);
}
export {askServer, type Asked} from './serve/control-client.ts';
export {listenForTerminals} from './serve/control-server.ts';
export {serverSocket} from './serve/control-wire.ts';
export {startOptionsOf, type HandOver} from './serve/hand-over.ts';
export {createKeeper} from './serve/keeper.ts';
export {serveTexts} from './serve/texts.ts';
