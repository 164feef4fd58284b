/**
The door of the pod for commands. In development it loads the whole pod. The build takes only what a command uses.
The chat's first frame loads only first-frame.ts.
*/
export * from './first-frame.ts';
export type {Rules} from './approval/decision.ts';
export {connectPod} from './attach/client.ts';
export {isListening} from './attach/probe.ts';
export {checkFolder, sessionOfSocket, socketFolder, socketPath} from './attach/socket-path.ts';
export {printMaxTurns} from './config/limits.ts';
export {chooseModel, configuredKeys, type ModelSource, type ModelWishes} from './config/model-choice.ts';
export {lookUpModel} from './context/catalogue.ts';
export {createLedger} from './context/ledger-query.ts';
export {pricesOf} from './context/meter.ts';
export {childEnv, shellOf} from './env/child-env.ts';
export {configDirectory} from './env/env.ts';
export {keyVariables} from './env/key-variables.ts';
export {networkOf} from './env/network.ts';
export {pathExists} from './files/path-exists.ts';
export {context} from './history/reader.ts';
export type {Manifest} from './manifest/load-manifest.ts';
export {findProgram, isProgram} from './processes/programs.ts';
export {ownersOf} from './scope/owners.ts';
export {createScope} from './scope/scope.ts';
export {readTail} from './session/tail.ts';
export {failureOf, failureSentence, readAt, realFiles, type OpenFile} from './session/files.ts';
export {homeProblem} from './session/home-problem.ts';
export {bodyOf, spanOf} from './session/line.ts';
export {listAllSessions, listSessions, type SessionSummary} from './session/list.ts';
export {lockOwner} from './session/lock.ts';
export {idOf, lockFile, projectDir, sessionsRoot} from './session/paths.ts';
export type {StoredSession} from './session/read.ts';
export type {RequestsVerdict} from './session/verify-requests.ts';
export {verifySession, type Finding, type Verdict} from './session/verify.ts';
export {skippedSentences} from './start/find-project.ts';
export {inspectInstructions, inspectMcp, inspectWorkflows, type InspectOptions} from './start/inspect.ts';
export {openPlanned} from './start/open-planned.ts';
export {findStoredSession, readStoredSession, type StoredSessionOptions} from './start/read-stored-session.ts';
export {startPod} from './start/start-pod.ts';
export {createStaleCheck} from './submission/stale.ts';
export {findRipgrep} from './tools/find-ripgrep.ts';
import {systemClock} from '../worker/index.ts';
import type {Repaired} from './session/repair.ts';
import type {verifyRequests as verify} from './session/verify-requests.ts';

/** Verifies requests. It loads the code on its first use, because that includes every provider. */
export async function verifyRequests(...args: Parameters<typeof verify>): ReturnType<typeof verify> {
	const requests = await import('./session/verify-requests.ts');
	return requests.verifyRequests(...args);
}

/** Makes a sound copy of a damaged session. It loads the code on its first use. */
export async function repairSession(dir: string): Promise<Repaired> {
	const [repair, {backupHashes}] = await Promise.all([
		import('./session/repair.ts'),
		import('./rewind/file-changes.ts'),
	]);
	return repair.repairSession(dir, {backupsOf: backupHashes}, systemClock());
}
